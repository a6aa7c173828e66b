/** The programs of the image that the simulation has rules for, with the texts of busybox 1.35. */
import type { Applet, AppletRun } from './applet.ts';
import { complain, NOT_MODELLED_STATUS, NotModelled, print, readOptions, UsageError } from './applet.ts';
import { echo } from './echo.ts';
import { FileError } from './errno.ts';
import { changeGroup, changeMode, changeOwner, copy, link, makeDirectories, move, readLink, remove, removeDirectories, touch } from './file-applets.ts';
import { grep } from './grep.ts';
import { id, whoami } from './identity.ts';
import { find, sha256sum, showMounts, stat } from './inspect-applets.ts';
import { list } from './ls.ts';
import { printf } from './printf.ts';
import type { Steps, Wait } from './task.ts';
import { signalNamed, SIGNALS } from './task.ts';
import { testCommand } from './test-command.ts';
import { concatenate, countWords, cut, head, sequence, sortLines, tail, tee } from './text-applets.ts';

const APPLETS: Readonly<Record<string, Applet>> = {
  '[': testCommand, '[[': testCommand, test: testCommand,
  basename, cat: concatenate, chgrp: changeGroup, chmod: changeMode, chown: changeOwner, cp: copy, cut, date, dirname,
  echo, egrep: grep, env: environment, false: () => 1, fgrep: grep, find, grep, head, hostname, id, kill, ln: link, ls: list, mkdir: makeDirectories,
  mount: showMounts, mv: move, printf, pwd, readlink: readLink, rm: remove, rmdir: removeDirectories, seq: sequence, sha256sum, sleep, sort: sortLines, stat,
  sync: () => 0, tail, tee, touch, true: () => 0, wc: countWords, which, whoami,
};

/** Runs an applet. Its own mistakes, and what is not modelled of it, come out on its standard error. */
export function* runApplet(run: AppletRun): Steps<number> {
  const applet = APPLETS[run.name];
  try {
    if (applet === undefined) throw new NotModelled('it');
    const status = applet(run);
    if (typeof status === 'number') return status;
    if (!('ms' in status)) return yield* status;
    yield status;
    return 0;
  } catch (error) {
    if (error instanceof NotModelled) {
      complain(run, `${error.message} is not modelled by this simulation`);
      return NOT_MODELLED_STATUS;
    }
    if (error instanceof UsageError) {
      complain(run, error.message);
      return 1;
    }
    if (!(error instanceof FileError)) throw error;
    complain(run, `write error: ${error.message}`);
    return 1;
  }
}

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** `sleep N[smhd]…`: the one program that takes time. `inf` sleeps for ever. */
function sleep(run: AppletRun): Wait {
  if (run.args.length === 0) throw new UsageError('missing operand');
  let seconds = 0;
  for (const word of run.args) {
    const match = /^(\d+(?:\.\d*)?|\.\d+)([smhd]?)$/.exec(word);
    if (/^inf(inity)?$/i.test(word)) seconds = Number.POSITIVE_INFINITY;
    else if (match === null) throw new UsageError(`invalid number '${word}'`);
    else seconds += Number(match[1]) * (UNITS[match[2] ?? ''] ?? 1);
  }
  return { ms: seconds * 1000 };
}

/** `kill [-SIGNAL] PID…`, `kill -l`. A number is taken as it stands in both directions. */
function kill(run: AppletRun): number | Steps<number> {
  let words = run.args;
  if (words[0] === '-l') return listSignals(run, words.slice(1));
  let name = 'TERM';
  if (words[0] === '-s' || words[0] === '-n') {
    name = words[1] ?? '';
    words = words.slice(2);
  } else if (words[0] !== undefined && words[0] !== '--' && words[0].startsWith('-')) {
    name = words[0].slice(1);
    words = words.slice(1);
  }
  if (words[0] === '--') words = words.slice(1);
  const signal = name === '0' ? undefined : signalNamed(name);
  if (name !== '0' && signal === undefined) throw new UsageError(`bad signal name '${name}'`);
  if (words.length === 0) throw new UsageError('you need to specify whom to kill');
  let status = 0;
  for (const word of words) {
    if (!/^-?\d+$/.test(word)) {
      complain(run, `invalid number '${word}'`);
      status = 1;
    } else if (!run.host.kill(Number(word), signal)) {
      complain(run, `can't kill pid ${word}: No such process`);
      status = 1;
    }
  }
  return status;
}

function listSignals(run: AppletRun, words: readonly string[]): number {
  if (words.length === 0) throw new NotModelled('the list of all signals');
  for (const word of words) {
    const number = Number(word);
    const signal = signalNamed(Number.isInteger(number) && number > 128 ? String(number - 128) : word);
    if (signal === undefined && !Number.isInteger(number)) throw new UsageError(`unknown signal '${word}'`);
    print(run, `${signal === undefined ? word : /^\d+$/.test(word) ? signal : SIGNALS[signal]}\n`);
  }
  return 0;
}

function pwd(run: AppletRun): number {
  print(run, `${run.files.cwd}\n`);
  return 0;
}

function hostname(run: AppletRun): number {
  if (run.args.length > 0) throw new NotModelled('anything but showing the name');
  print(run, `${run.host.hostname}\n`);
  return 0;
}

/** `env` without a command. */
function environment(run: AppletRun): number {
  if (run.args.length > 0) throw new NotModelled('running a command');
  print(run, [...run.environment()].map(([name, value]) => `${name}=${value}\n`).join(''));
  return 0;
}

function basename(run: AppletRun): number {
  const { operands: [path, suffix = '', ...others] } = readOptions(run.args, '');
  if (path === undefined || others.length > 0) throw new UsageError('one or two operands are wanted');
  const trimmed = path.replace(/(?!^)\/+$/, '');
  const name = trimmed === '/' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
  print(run, `${suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name}\n`);
  return 0;
}

function dirname(run: AppletRun): number {
  const { operands: [path, ...others] } = readOptions(run.args, '');
  if (path === undefined || others.length > 0) throw new UsageError('one operand is wanted');
  const trimmed = path.replace(/(?!^)\/+$/, '');
  const end = trimmed.lastIndexOf('/');
  print(run, `${end < 0 ? '.' : trimmed.slice(0, end).replace(/(?!^)\/+$/, '') || '/'}\n`);
  return 0;
}

/** `which NAME…`: where PATH finds it. */
function which(run: AppletRun): number {
  const directories = (run.environment().get('PATH') ?? '').split(':');
  let status = 0;
  for (const name of run.args) {
    const found = directories.map((directory) => `${directory}/${name}`).find((file) => run.files.mayAccess(file, 'execute'));
    if (found === undefined) status = 1;
    else print(run, `${found}\n`);
  }
  return status;
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'] as const;

/** `date [-u] [+FORMAT]`: the virtual time, UTC. */
function date(run: AppletRun): number {
  const words = run.args.filter((word) => word !== '-u');
  const [format = '+%a %b %e %H:%M:%S UTC %Y'] = words;
  if (words.length > 1 || !format.startsWith('+')) throw new NotModelled('anything but showing the time');
  print(run, `${formatTime(run.files.nowMs, format.slice(1))}\n`);
  return 0;
}

/** strftime for the letters that people use in scripts. */
function formatTime(nowMs: number, format: string): string {
  const time = new Date(nowMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const weekday = WEEKDAYS[time.getUTCDay()] ?? '';
  const month = MONTHS[time.getUTCMonth()] ?? '';
  const day = time.getUTCDate();
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two);
  const fields: Readonly<Record<string, string>> = {
    Y: String(time.getUTCFullYear()), m: two(time.getUTCMonth() + 1), d: two(day), e: String(day).padStart(2), H: clock[0] ?? '', M: clock[1] ?? '',
    S: clock[2] ?? '', T: clock.join(':'), F: `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}-${two(day)}`, s: String(Math.floor(nowMs / 1000)),
    a: weekday.slice(0, 3), A: weekday, b: month.slice(0, 3), h: month.slice(0, 3), B: month, Z: 'UTC', z: '+0000', n: '\n', t: '\t', '%': '%',
    N: String(Math.floor(nowMs % 1000)).padStart(3, '0').padEnd(9, '0'), y: two(time.getUTCFullYear() % 100), R: clock.slice(0, 2).join(':'),
  };
  return format.replace(/%(.)/gs, (whole, letter: string) => {
    const text = fields[letter];
    if (text === undefined) throw new NotModelled(`the format "${whole}"`);
    return text;
  });
}
