/** Programs that look at files and mounts: `stat`, `find`, `mount`, `sha256sum`, with the texts of busybox 1.35. */
import { sha256 } from '../model/sha256.ts';
import type { AppletRun } from './applet.ts';
import { complain, NotModelled, print, readOptions } from './applet.ts';
import { FileError } from './errno.ts';
import type { FsNode } from './filesystem.ts';
import { namesOf } from './identity.ts';
import { modeText } from './ls.ts';
import type { FileStatus, Located } from './mounted-files.ts';
import { matchesPattern } from './shell-pattern.ts';

const PERMISSIONS = 0o7777;
const KINDS: Readonly<Record<FsNode['type'], string>> = {
  file: 'regular file', generated: 'regular empty file', directory: 'directory', symlink: 'symbolic link', 'block-device': 'block special file', 'character-device': 'character special file',
};

/** `stat [-L] -c FORMAT FILE…`. Source: busybox 1.35, coreutils/stat.c. */
export function stat(run: AppletRun): number {
  const { letters, values, operands } = readOptions(run.args, 'L', 'c');
  const format = values.get('c');
  if (format === undefined) throw new NotModelled('anything but a format of one’s own (-c)');
  let status = 0;
  for (const path of operands) {
    try {
      print(run, `${formatStatus(run, path, run.files.status(path, { followLast: letters.has('L') }), format)}\n`);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      complain(run, `can't stat '${path}': ${error.message}`);
      status = 1;
    }
  }
  return status;
}

function formatStatus(run: AppletRun, path: string, { node, links, size }: FileStatus, format: string): string {
  const named = (file: '/etc/passwd' | '/etc/group', number: number): string => namesOf(run.files, file).get(number) ?? 'UNKNOWN';
  const fields: Readonly<Record<string, () => string>> = {
    a: () => (node.mode & PERMISSIONS).toString(8),
    A: () => modeText(node),
    F: () => (node.type === 'file' && size === 0 ? 'regular empty file' : KINDS[node.type]),
    g: () => String(node.gid),
    G: () => named('/etc/group', node.gid),
    h: () => String(links),
    n: () => path,
    N: () => (node.type === 'symlink' ? `'${path}' -> '${node.target}'` : path),
    s: () => String(size),
    u: () => String(node.uid),
    U: () => named('/etc/passwd', node.uid),
    Y: () => String(Math.floor(node.mtimeMs / 1000)),
    '%': () => '%',
  };
  return format.replace(/%(.)/gs, (whole, letter: string) => {
    const field = fields[letter];
    if (field === undefined) throw new NotModelled(`the format "${whole}"`);
    return field();
  });
}

/** `mount` without arguments: what is mounted. Source: busybox 1.35, util-linux/mount.c. */
export function showMounts(run: AppletRun): number {
  if (run.args.length > 0) throw new NotModelled('mounting');
  for (const row of run.files.read('/proc/mounts').split('\n')) {
    const [source, path, type, options] = row.split(' ');
    if (path !== undefined) print(run, `${source ?? ''} on ${path} type ${type ?? ''} (${options ?? ''})\n`);
  }
  return 0;
}

/** `sha256sum [FILE…]`. Source: busybox 1.35, coreutils/md5_sha1_sum.c. */
export function sha256sum(run: AppletRun): number {
  const { operands } = readOptions(run.args, '');
  if (operands.length === 0) throw new NotModelled('reading its standard input');
  let status = 0;
  for (const path of operands) {
    try {
      print(run, `${sha256(run.files.read(path))}  ${path}\n`);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      complain(run, error.errno === 'EISDIR' ? `can't read '${path}': ${error.message}` : `can't open '${path}': ${error.message}`);
      status = 1;
    }
  }
  return status;
}

interface Search {
  readonly type?: string;
  readonly name?: string;
  readonly most: number;
  readonly least: number;
}

const TYPES: Readonly<Record<string, readonly FsNode['type'][]>> = { f: ['file', 'generated'], d: ['directory'], l: ['symlink'], b: ['block-device'], c: ['character-device'] };

/** `find [PATH…] [-type T] [-name PATTERN] [-maxdepth N] [-mindepth N] [-print]`, entries in the order of their names. Source: busybox 1.35, findutils/find.c. */
export function find(run: AppletRun): number {
  const first = run.args.findIndex((word) => word.startsWith('-') || word === '!' || word === '(');
  const paths = first < 0 ? run.args : run.args.slice(0, first);
  const search = readSearch(first < 0 ? [] : run.args.slice(first));
  let status = 0;
  for (const path of paths.length === 0 ? ['.'] : paths) {
    try {
      visit(run, path, run.files.locate(path, { followLast: false }), 0, search);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      complain(run, `${path}: ${error.message}`);
      status = 1;
    }
  }
  return status;
}

function readSearch(words: readonly string[]): Search {
  let search: Search = { most: Number.POSITIVE_INFINITY, least: 0 };
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === '-print') continue;
    if (!['-type', '-name', '-maxdepth', '-mindepth'].includes(word)) throw new NotModelled(`"${word}"`);
    const value = queue.shift();
    if (value === undefined) throw new NotModelled(`"${word}" without a value`);
    if (word === '-type' && TYPES[value] === undefined) throw new NotModelled(`the type "${value}"`);
    if (word.endsWith('depth') && !/^\d+$/.test(value)) throw new NotModelled(`the depth "${value}"`);
    if (word === '-type') search = { ...search, type: value };
    else if (word === '-name') search = { ...search, name: value };
    else if (word === '-maxdepth') search = { ...search, most: Number(value) };
    else search = { ...search, least: Number(value) };
  }
  return search;
}

function visit(run: AppletRun, path: string, located: Located, depth: number, search: Search): void {
  const { node } = located;
  const name = path.replace(/(?!^)\/+$/, '').split('/').at(-1) ?? '';
  const fits = (search.type === undefined || TYPES[search.type]?.includes(node.type) === true) && (search.name === undefined || matchesPattern([{ text: search.name, quoted: false }], name));
  if (fits && depth >= search.least) print(run, `${path}\n`);
  if (node.type !== 'directory' || depth >= search.most) return;
  for (const child of run.files.list(path)) visit(run, `${path.replace(/\/$/, '')}/${child.name}`, child.located, depth + 1, search);
}
