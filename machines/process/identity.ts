/** `id` and `whoami`, and the names of users and groups. Source: busybox 1.35, coreutils/id.c. */
import type { AppletRun } from './applet.ts';
import { complain, print, readOptions, UsageError } from './applet.ts';
import { FileError } from './errno.ts';
import type { MountedFiles } from './mounted-files.ts';

/** Names by number from /etc/passwd or /etc/group; empty when the file cannot be read. */
export function namesOf(files: MountedFiles, path: '/etc/passwd' | '/etc/group'): ReadonlyMap<number, string> {
  try {
    const rows = files.read(path).split('\n').map((line) => line.split(':'));
    return new Map(rows.flatMap(([name, , number]): [number, string][] => (name === undefined || !/^\d+$/.test(number ?? '') ? [] : [[Number(number), name]])));
  } catch (error) {
    if (error instanceof FileError) return new Map();
    throw error;
  }
}

/** The number that a word names: itself, or a user's or group's name. */
export function numberNamed(files: MountedFiles, path: '/etc/passwd' | '/etc/group', word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word);
  return [...namesOf(files, path)].find(([, name]) => name === word)?.[0];
}

/** The kernel keeps the supplementary groups in order; the runtime puts the primary group among them. */
function groupList(run: AppletRun): number[] {
  const { gid, groups } = run.files.who;
  return [...new Set([gid, ...groups])].toSorted((left, right) => left - right);
}

/** `id [-ugGnr]`: of the process itself. A number without a name stands alone. @recorded #fsgroup */
export function id(run: AppletRun): number {
  const { letters, operands } = readOptions(run.args, 'ugGnr');
  if (operands.length > 0) throw new UsageError(`unknown user ${operands[0] ?? ''}`);
  if (letters.has('n') && !['u', 'g', 'G'].some((letter) => letters.has(letter))) throw new UsageError('the option "-n" goes with -u, -g or -G');
  const { uid, gid } = run.files.who;
  const users = namesOf(run.files, '/etc/passwd');
  const groups = namesOf(run.files, '/etc/group');
  if (letters.has('u')) return printOne(run, uid, users, letters.has('n'));
  if (letters.has('g')) return printOne(run, gid, groups, letters.has('n'));
  const list = groupList(run);
  if (letters.has('G')) {
    print(run, `${list.map((number) => (letters.has('n') ? (groups.get(number) ?? String(number)) : String(number))).join(' ')}\n`);
    return 0;
  }
  const named = (number: number, names: ReadonlyMap<number, string>): string => `${number}${names.has(number) ? `(${names.get(number) ?? ''})` : ''}`;
  print(run, `uid=${named(uid, users)} gid=${named(gid, groups)} groups=${list.map((number) => named(number, groups)).join(',')}\n`);
  return 0;
}

/** A number without a name is printed all the same, with a complaint. */
function printOne(run: AppletRun, number: number, names: ReadonlyMap<number, string>, wantsName: boolean): number {
  const name = names.get(number);
  print(run, `${wantsName ? (name ?? String(number)) : String(number)}\n`);
  if (!wantsName || name !== undefined) return 0;
  complain(run, `unknown ID ${number}`);
  return 1;
}

export function whoami(run: AppletRun): number {
  const { uid } = run.files.who;
  const name = namesOf(run.files, '/etc/passwd').get(uid);
  if (name === undefined) {
    complain(run, `unknown uid ${uid}`);
    return 1;
  }
  print(run, `${name}\n`);
  return 0;
}
