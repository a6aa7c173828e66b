/** Programs that make, move, remove and mark files. Source: busybox 1.35, coreutils. */
import type { AppletRun, Options } from './applet.ts';
import { complain, forEachFile, NotModelled, print, readOptions, UsageError } from './applet.ts';
import { FileError } from './errno.ts';
import type { FsNode } from './filesystem.ts';
import { numberNamed } from './identity.ts';

function needOperands(options: Options, count: number): void {
  if (options.operands.length < count) throw new UsageError('missing operand');
}

/** `mkdir [-p] [-m MODE] DIRECTORY…`. */
export function makeDirectories(run: AppletRun): number {
  const options = readOptions(run.args, 'p', 'm');
  needOperands(options, 1);
  const mode = options.values.get('m');
  const make = (path: string): void => {
    if (options.letters.has('p')) makeWithParents(run, path);
    else run.files.makeDirectory(path);
    if (mode !== undefined) run.files.changeMode(path, (node) => modeOf(mode, node, run));
  };
  return forEachFile(run, options.operands, make, (name, error) => `can't create directory '${error instanceof ParentFailure ? error.path : name}': ${error.message}`);
}

/** A part of the path that cannot be made is named as far as busybox has come: with the slash behind it. */
class ParentFailure extends FileError {
  readonly path: string;

  constructor(error: FileError, path: string) {
    super(error.errno);
    this.path = path;
  }
}

function makeWithParents(run: AppletRun, path: string): void {
  if (path === '') throw new FileError('ENOENT');
  const parts = path.split('/').filter((part) => part !== '');
  let at = path.startsWith('/') ? '/' : '';
  for (const [index, part] of parts.entries()) {
    at += at === '' || at.endsWith('/') ? part : `/${part}`;
    if (isDirectory(run, at)) continue;
    try {
      run.files.makeDirectory(at);
    } catch (error) {
      if (!(error instanceof FileError) || index === parts.length - 1) throw error;
      throw new ParentFailure(error.errno === 'EEXIST' ? new FileError('ENOTDIR') : error, `${at}/`);
    }
  }
}

function isDirectory(run: AppletRun, path: string): boolean {
  try {
    return run.files.locate(path).node.type === 'directory';
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** `touch [-c] FILE…`. */
export function touch(run: AppletRun): number {
  const options = readOptions(run.args, 'cam');
  needOperands(options, 1);
  const wanted = options.letters.has('c') ? options.operands.filter((name) => run.files.exists(name)) : options.operands;
  return forEachFile(run, wanted, (name) => run.files.touch(name), (name, error) => `${name}: ${error.message}`);
}

/** `rm [-rf] FILE…`. */
export function remove(run: AppletRun): number {
  const options = readOptions(run.args, 'rRfi');
  if (!options.letters.has('f')) needOperands(options, 1);
  let status = 0;
  for (const name of options.operands) {
    if (/(?:^|\/)\.{1,2}\/*$/.test(name)) {
      complain(run, `can't remove '.' or '..'`);
      status = 1;
    } else if (!removeOne(run, name, options)) {
      status = 1;
    }
  }
  return status;
}

function removeOne(run: AppletRun, name: string, options: Options): boolean {
  try {
    const { node } = run.files.locate(name, { followLast: false });
    if (node.type !== 'directory') {
      run.files.removeFile(name);
      return true;
    }
    if (!options.letters.has('r') && !options.letters.has('R')) {
      complain(run, `'${name}' is a directory`);
      return false;
    }
    const entries = entriesOf(run, name);
    // busybox says nothing of a directory that it cannot read.
    if (entries === undefined) return false;
    const emptied = entries.map((entry) => removeOne(run, `${name.replace(/\/$/, '')}/${entry}`, options));
    if (!emptied.every(Boolean)) return false;
    run.files.removeDirectory(name);
    return true;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.errno === 'ENOENT' && options.letters.has('f')) return true;
    complain(run, `can't remove '${name}': ${error.message}`);
    return false;
  }
}

/** Names in a directory; undefined when it cannot be read. */
function entriesOf(run: AppletRun, path: string): string[] | undefined {
  try {
    return run.files.list(path).map((entry) => entry.name);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** `rmdir DIRECTORY…`. */
export function removeDirectories(run: AppletRun): number {
  const options = readOptions(run.args, '');
  needOperands(options, 1);
  return forEachFile(run, options.operands, (name) => run.files.removeDirectory(name), (name, error) => `'${name}': ${error.message}`);
}

/** `ln -s TARGET [LINK]`. Hard links are not modelled. */
export function link(run: AppletRun): number {
  const options = readOptions(run.args, 'sfn');
  if (!options.letters.has('s')) throw new NotModelled('a hard link');
  const [target, place] = options.operands;
  if (target === undefined || options.operands.length > 2) throw new UsageError('a target and a link are wanted');
  const base = target.slice(target.lastIndexOf('/') + 1);
  const path = place === undefined ? base : isDirectory(run, place) && !options.letters.has('n') ? `${place.replace(/\/$/, '')}/${base}` : place;
  const make = (name: string): void => {
    if (options.letters.has('f') && existsItself(run, name)) run.files.removeFile(name);
    run.files.makeSymlink(target, name);
  };
  return forEachFile(run, [path], make, (name, error) => `${name}: ${error.message}`);
}

function existsItself(run: AppletRun, path: string): boolean {
  try {
    run.files.locate(path, { followLast: false });
    return true;
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** `readlink [-f] FILE`. */
export function readLink(run: AppletRun): number {
  const options = readOptions(run.args, 'fn');
  const [path] = options.operands;
  if (path === undefined) throw new UsageError('missing operand');
  try {
    const located = run.files.locate(path, { followLast: options.letters.has('f') });
    const text = options.letters.has('f') ? located.path : located.node.type === 'symlink' ? located.node.target : undefined;
    if (text === undefined) return 1;
    print(run, options.letters.has('n') ? text : `${text}\n`);
    return 0;
  } catch (error) {
    if (error instanceof FileError) return 1;
    throw error;
  }
}

/** Where something named is put: into a directory, or under the name given. */
function destination(run: AppletRun, source: string, target: string): string {
  const name = source.replace(/\/+$/, '').split('/').at(-1) ?? source;
  return isDirectory(run, target) ? `${target.replace(/\/$/, '')}/${name}` : target;
}

/** `cp [-r] SOURCE… DESTINATION`. */
export function copy(run: AppletRun): number {
  const options = readOptions(run.args, 'rRafp');
  needOperands(options, 2);
  const sources = options.operands.slice(0, -1);
  const target = options.operands.at(-1) ?? '';
  const recursive = ['r', 'R', 'a'].some((letter) => options.letters.has(letter));
  return Math.max(...sources.map((source) => (copyOne(run, source, destination(run, source, target), recursive) ? 0 : 1)));
}

/** `made`: directories that this copy made, which it must not copy again. */
function copyOne(run: AppletRun, source: string, target: string, recursive: boolean, made = new Set<FsNode>()): boolean {
  let node: FsNode;
  try {
    node = run.files.locate(source, { followLast: !recursive }).node;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    complain(run, `can't stat '${source}': ${error.message}`);
    return false;
  }
  if (node.type === 'directory') return copyDirectory(run, source, target, recursive, node, made);
  try {
    if (node.type === 'symlink') run.files.makeSymlink(node.target, target);
    else copyFile(run, source, target, node);
    return true;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    complain(run, error instanceof ReadFailure ? `can't open '${source}': ${error.message}` : `can't create '${target}': ${error.message}`);
    return false;
  }
}

class ReadFailure extends FileError {}

function copyFile(run: AppletRun, source: string, target: string, node: FsNode): void {
  const fresh = !run.files.exists(target);
  let content: string;
  try {
    content = run.files.read(source);
  } catch (error) {
    if (error instanceof FileError) throw new ReadFailure(error.errno);
    throw error;
  }
  run.files.openForWriting(target, false).write(content);
  if (fresh) run.files.changeMode(target, () => node.mode & 0o777 & ~run.files.umask);
}

function copyDirectory(run: AppletRun, source: string, target: string, recursive: boolean, node: FsNode, made: Set<FsNode>): boolean {
  if (made.has(node)) {
    complain(run, `recursion detected, omitting directory '${source}'`);
    return false;
  }
  if (!recursive) {
    complain(run, `omitting directory '${source}'`);
    return false;
  }
  try {
    if (!isDirectory(run, target)) run.files.makeDirectory(target, node.mode & 0o777);
    made.add(run.files.locate(target).node);
    const entries = run.files.list(source).map((entry) => entry.name);
    return entries.map((name) => copyOne(run, `${source}/${name}`, `${target}/${name}`, true, made)).every(Boolean);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    complain(run, `can't create directory '${target}': ${error.message}`);
    return false;
  }
}

/** `mv SOURCE… DESTINATION`; from one mount to another it copies and removes. */
export function move(run: AppletRun): number {
  const options = readOptions(run.args, 'fn');
  needOperands(options, 2);
  const sources = options.operands.slice(0, -1);
  const target = options.operands.at(-1) ?? '';
  const moveOne = (source: string): void => {
    const place = destination(run, source, target);
    try {
      run.files.rename(source, place);
    } catch (error) {
      if (!(error instanceof FileError) || error.errno !== 'EXDEV') throw error;
      if (copyOne(run, source, place, true)) removeOne(run, source, readOptions(['-r'], 'r'));
    }
  };
  return forEachFile(run, sources, moveOne, (name, error) => `can't rename '${name}': ${error.message}`);
}

/** `chmod [-R] MODE FILE…`. */
export function changeMode(run: AppletRun): number {
  const [first = '', ...rest] = run.args;
  // A mode may begin with a minus sign.
  const words = /^-[rwxXst]+$/.test(first) ? ['--', first, ...rest] : run.args;
  const options = readOptions(words, 'R');
  const [mode, ...names] = options.operands;
  if (mode === undefined || names.length === 0) throw new UsageError('missing operand');
  const change = (name: string): void => run.files.changeMode(name, (node) => modeOf(mode, node, run));
  return forEachFile(run, options.letters.has('R') ? names.flatMap((name) => withAllBelow(run, name)) : names, change, (name, error) => `${name}: ${error.message}`);
}

function withAllBelow(run: AppletRun, path: string): string[] {
  if (!isDirectory(run, path)) return [path];
  try {
    return [path, ...run.files.list(path).flatMap((entry) => withAllBelow(run, `${path.replace(/\/$/, '')}/${entry.name}`))];
  } catch (error) {
    if (error instanceof FileError) return [path];
    throw error;
  }
}

const CLASS_MASKS: Readonly<Record<string, number>> = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 };
const PERMISSIONS: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111, s: 0o6000, t: 0o1000 };

/** The bits that a mode makes of a file's: octal, or clauses like `u+x,g-w`. */
function modeOf(text: string, node: FsNode, run: AppletRun): number {
  if (/^[0-7]{1,4}$/.test(text)) return Number.parseInt(text, 8);
  let mode = node.mode;
  for (const clause of text.split(',')) {
    const match = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(clause);
    if (match === null) throw new UsageError(`invalid mode '${text}'`);
    const classes = match[1] === '' ? 'a' : (match[1] ?? 'a');
    const mask = [...classes].reduce((sum, letter) => sum | (CLASS_MASKS[letter] ?? 0), 0) & (match[1] === '' ? ~run.files.umask : ~0);
    const bits = [...(match[3] ?? '')].reduce((sum, letter) => sum | permissionBits(letter, mode, node), 0) & mask;
    if (match[2] === '+') mode |= bits;
    else if (match[2] === '-') mode &= ~bits;
    else mode = (mode & ~mask) | bits;
  }
  return mode;
}

/** `X`: search for directories and what somebody may execute already. */
function permissionBits(letter: string, mode: number, node: FsNode): number {
  if (letter === 'X') return node.type === 'directory' || (mode & 0o111) !== 0 ? 0o111 : 0;
  return PERMISSIONS[letter] ?? 0;
}

/** `chown [-R] USER[:GROUP] FILE…`. */
export function changeOwner(run: AppletRun): number {
  const options = readOptions(run.args, 'R');
  const [owner, ...names] = options.operands;
  if (owner === undefined || names.length === 0) throw new UsageError('missing operand');
  const [user = '', group = ''] = owner.split(/[:.]/);
  const uid = user === '' ? undefined : numberNamed(run.files, '/etc/passwd', user);
  if (user !== '' && uid === undefined) throw new UsageError(`unknown user ${user}`);
  return change(run, options, names, { uid, gid: groupNumber(run, group) });
}

/** `chgrp [-R] GROUP FILE…`. */
export function changeGroup(run: AppletRun): number {
  const options = readOptions(run.args, 'R');
  const [group, ...names] = options.operands;
  if (group === undefined || names.length === 0) throw new UsageError('missing operand');
  return change(run, options, names, { gid: groupNumber(run, group) });
}

function groupNumber(run: AppletRun, group: string): number | undefined {
  if (group === '') return undefined;
  const gid = numberNamed(run.files, '/etc/group', group);
  if (gid === undefined) throw new UsageError(`unknown group ${group}`);
  return gid;
}

function change(run: AppletRun, options: Options, names: readonly string[], owner: { readonly uid?: number | undefined; readonly gid?: number | undefined }): number {
  const all = options.letters.has('R') ? names.flatMap((name) => withAllBelow(run, name)) : names;
  return forEachFile(run, all, (name) => run.files.changeOwner(name, owner), (name, error) => `${name}: ${error.message}`);
}
