/** `ls` in busybox's forms. Source: busybox 1.35, coreutils/ls.c. */
import type { AppletRun, Options } from './applet.ts';
import { complain, print, readOptions } from './applet.ts';
import { FileError } from './errno.ts';
import type { FsNode } from './filesystem.ts';
import { SETGID, STICKY } from './filesystem.ts';
import { namesOf } from './identity.ts';
import type { FileStatus, Located } from './mounted-files.ts';
import { compareBytes, statusOf } from './mounted-files.ts';

interface Entry {
  readonly name: string;
  readonly status: FileStatus;
}

/** `ls [-1AadlnrRtSLFp] [FILE…]`: one name a line, as when the output is no terminal. */
export function list(run: AppletRun): number {
  const options = readOptions(run.args, '1AadlnrRtSLFp');
  const asFiles: Entry[] = [];
  const asDirectories: Located[] = [];
  const shown: string[] = [];
  let status = 0;
  for (const name of options.operands.length === 0 ? ['.'] : options.operands) {
    try {
      const located = locateOperand(run, name, options);
      if (located.node.type === 'directory' && !options.letters.has('d')) {
        asDirectories.push(located);
        shown.push(name);
      } else {
        asFiles.push({ name, status: statusOf(located.node, located.mount) });
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      complain(run, `${name}: ${error.message}`);
      status = 1;
    }
  }
  for (const entry of arranged(asFiles, options)) print(run, entryLine(run, entry, options));
  const headed = options.operands.length > 1 || options.letters.has('R');
  const order = shown.map((name, index) => ({ name, located: asDirectories[index] })).toSorted((left, right) => compareBytes(left.name, right.name));
  let first = asFiles.length === 0;
  for (const { name, located } of options.letters.has('r') ? order.toReversed() : order) {
    if (located === undefined) continue;
    status = Math.max(status, listDirectory(run, name, options, headed, first));
    first = false;
  }
  return status;
}

/** A link named on the command line is followed, but not with `-l` or `-d`. */
function locateOperand(run: AppletRun, name: string, options: Options): Located {
  const followLast = options.letters.has('L') || !(options.letters.has('l') || options.letters.has('n') || options.letters.has('d'));
  return run.files.locate(name, { followLast });
}

function listDirectory(run: AppletRun, path: string, options: Options, headed: boolean, first: boolean): number {
  let entries: Entry[];
  try {
    entries = entriesOf(run, path, options);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    complain(run, `can't open '${path}': ${error.message}`);
    return 1;
  }
  if (headed) print(run, `${first ? '' : '\n'}${path}:\n`);
  if (isLong(options)) print(run, `total ${entries.reduce((sum, entry) => sum + entry.status.blocks, 0)}\n`);
  const order = arranged(entries, options);
  for (const entry of order) print(run, entryLine(run, entry, options));
  let status = 0;
  if (options.letters.has('R')) {
    for (const entry of order) {
      if (entry.status.node.type !== 'directory' || entry.name === '.' || entry.name === '..') continue;
      status = Math.max(status, listDirectory(run, `${path.replace(/\/$/, '')}/${entry.name}`, options, true, false));
    }
  }
  return status;
}

function entriesOf(run: AppletRun, path: string, options: Options): Entry[] {
  const { letters } = options;
  const hidden = letters.has('a') || letters.has('A');
  const entries = run.files
    .list(path)
    .filter((entry) => hidden || !entry.name.startsWith('.'))
    .map(({ name, located }) => ({ name, status: letters.has('L') ? run.files.status(`${path}/${name}`) : statusOf(located.node, located.mount) }));
  if (!letters.has('a')) return entries;
  return ['.', '..'].map((name): Entry => ({ name, status: run.files.status(`${path}/${name}`) })).concat(entries);
}

function arranged(entries: readonly Entry[], options: Options): Entry[] {
  const sorted = entries.toSorted((left, right) => compareEntries(left, right, options));
  return options.letters.has('r') ? sorted.toReversed() : sorted;
}

function compareEntries(left: Entry, right: Entry, options: Options): number {
  if (options.letters.has('S') && left.status.size !== right.status.size) return right.status.size - left.status.size;
  if (options.letters.has('t') && left.status.node.mtimeMs !== right.status.node.mtimeMs) return right.status.node.mtimeMs - left.status.node.mtimeMs;
  return compareBytes(left.name, right.name);
}

function isLong(options: Options): boolean {
  return options.letters.has('l') || options.letters.has('n');
}

/** @recorded #fsgroup, #block-device */
function entryLine(run: AppletRun, entry: Entry, options: Options): string {
  const { node } = entry.status;
  const mark = typeMark(node, options);
  if (!isLong(options)) return `${entry.name}${mark}\n`;
  const numeric = options.letters.has('n');
  const user = numeric ? String(node.uid) : (namesOf(run.files, '/etc/passwd').get(node.uid) ?? String(node.uid));
  const group = numeric ? String(node.gid) : (namesOf(run.files, '/etc/group').get(node.gid) ?? String(node.gid));
  const device = node.type === 'block-device' || node.type === 'character-device';
  const size = device ? `${String(node.major).padStart(4)}, ${String(node.minor).padStart(3)}` : String(entry.status.size).padStart(9);
  const target = node.type === 'symlink' ? ` -> ${node.target}` : '';
  const links = String(entry.status.links).padStart(4);
  return `${modeText(node)} ${links} ${user.padEnd(8)} ${group.padEnd(8)} ${size} ${dateText(node.mtimeMs, run.files.nowMs)} ${entry.name}${target}${mark}\n`;
}

/** `-F` marks kinds of files, `-p` directories only. */
function typeMark(node: FsNode, options: Options): string {
  if (node.type === 'directory') return options.letters.has('F') || options.letters.has('p') ? '/' : '';
  if (!options.letters.has('F')) return '';
  if (node.type === 'symlink') return isLong(options) ? '' : '@';
  return node.type === 'file' && (node.mode & 0o111) !== 0 ? '*' : '';
}

const TYPE_LETTERS: Readonly<Record<FsNode['type'], string>> = { file: '-', generated: '-', directory: 'd', symlink: 'l', 'block-device': 'b', 'character-device': 'c' };
const SETUID = 0o4000;

/** `drwxr-sr-x`: type and permission bits. */
export function modeText(node: FsNode): string {
  const triple = (shift: number, special: number, letter: string): string => {
    const bits = (node.mode >> shift) & 7;
    const executes = (bits & 1) !== 0;
    const last = (node.mode & special) === 0 ? (executes ? 'x' : '-') : executes ? letter : letter.toUpperCase();
    return `${(bits & 4) === 0 ? '-' : 'r'}${(bits & 2) === 0 ? '-' : 'w'}${last}`;
  };
  return TYPE_LETTERS[node.type] + triple(6, SETUID, 's') + triple(3, SETGID, 's') + triple(0, STICKY, 't');
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const HALF_A_YEAR_MS = (3600 * 24 * 365 * 1000) / 2;
const QUARTER_HOUR_MS = 15 * 60 * 1000;

/** `Nov 30 17:19`, or the year instead of the time for what is older than half a year or lies ahead. */
function dateText(mtimeMs: number, nowMs: number): string {
  const time = new Date(mtimeMs);
  const month = MONTHS[time.getUTCMonth()] ?? '';
  const day = String(time.getUTCDate()).padStart(2);
  const age = nowMs - mtimeMs;
  if (age > HALF_A_YEAR_MS || age < -QUARTER_HOUR_MS) return `${month} ${day}  ${time.getUTCFullYear()}`;
  const clock = [time.getUTCHours(), time.getUTCMinutes()].map((value) => String(value).padStart(2, '0')).join(':');
  return `${month} ${day} ${clock}`;
}
