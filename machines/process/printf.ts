/** `printf FORMAT [ARGUMENT…]`: the format is used again as long as arguments are left. Source: busybox 1.35, coreutils/printf.c. */
import type { AppletRun } from './applet.ts';
import { complain, NotModelled, print, UsageError } from './applet.ts';
import { interpretEscapes } from './echo.ts';

const DIRECTIVE = /%([-+ #0]*)(\d*|\*)(?:\.(\d*|\*))?([a-zA-Z%])/y;

export function printf(run: AppletRun): number {
  const [format, ...rest] = run.args;
  if (format === undefined) throw new UsageError('usage: printf FORMAT [ARGUMENT...]');
  const state: PrintState = { run, queue: [...rest], status: 0, stopped: false };
  do {
    const before = state.queue.length;
    printOnce(format, state);
    if (state.queue.length === before) break;
  } while (state.queue.length > 0 && !state.stopped);
  return state.status;
}

interface PrintState {
  readonly run: AppletRun;
  readonly queue: string[];
  status: number;
  stopped: boolean;
}

function printOnce(format: string, state: PrintState): void {
  let text = '';
  let index = 0;
  while (index < format.length && !state.stopped) {
    const next = nextSpecial(format, index);
    text += format.slice(index, next);
    if (next >= format.length) break;
    if (format.charAt(next) === '\\') {
      const escape = /^\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)?/s.exec(format.slice(next))?.[0] ?? '\\';
      const { output, stopped } = interpretEscapes(octalForEcho(escape));
      text += output;
      state.stopped = stopped;
      index = next + escape.length;
      continue;
    }
    DIRECTIVE.lastIndex = next;
    const directive = DIRECTIVE.exec(format);
    if (directive === null) {
      complain(state.run, `${format.slice(next)}: invalid format`);
      state.status = 1;
      state.stopped = true;
      break;
    }
    text += formatOne(directive, state);
    index = next + directive[0].length;
  }
  print(state.run, text);
}

function nextSpecial(format: string, from: number): number {
  const found = format.slice(from).search(/[\\%]/);
  return found < 0 ? format.length : from + found;
}

/** A format's `\101` has no leading zero; echo's escapes want one. */
function octalForEcho(escape: string): string {
  return /^\\[0-7]/.test(escape) ? `\\0${escape.slice(1)}` : escape;
}

function formatOne(directive: RegExpExecArray, state: PrintState): string {
  const [, flags = '', width = '', precision, letter = ''] = directive;
  if (letter === '%') return '%';
  if (width === '*' || precision === '*') throw new NotModelled('a width from an argument');
  const argument = state.queue.shift();
  const limit = precision === undefined ? undefined : Number(precision);
  if (letter === 'c') return pad((argument ?? '').slice(0, 1), flags, width);
  if (letter === 's' || letter === 'b') {
    const { output, stopped } = letter === 'b' ? interpretEscapes(argument ?? '') : { output: argument ?? '', stopped: false };
    state.stopped = stopped;
    return pad(limit === undefined ? output : output.slice(0, limit), flags.replaceAll('0', ''), width);
  }
  return formatNumber(letter, argument ?? '', { flags, width, limit }, state);
}

function formatNumber(letter: string, argument: string, shape: { flags: string; width: string; limit: number | undefined }, state: PrintState): string {
  if (!'diuxXo'.includes(letter)) throw new NotModelled(`the directive "%${letter}"`);
  const value = readInteger(argument, state);
  const base = letter === 'x' || letter === 'X' ? 16 : letter === 'o' ? 8 : 10;
  const unsigned = letter === 'd' || letter === 'i' ? value : BigInt.asUintN(64, value);
  const negative = unsigned < 0n;
  let digits = (negative ? -unsigned : unsigned).toString(base);
  if (letter === 'X') digits = digits.toUpperCase();
  if (shape.limit !== undefined) digits = digits.padStart(shape.limit, '0');
  const sign = negative ? '-' : shape.flags.includes('+') ? '+' : shape.flags.includes(' ') ? ' ' : '';
  if (shape.flags.includes('0') && !shape.flags.includes('-') && shape.limit === undefined) digits = digits.padStart(Number(shape.width || '0') - sign.length, '0');
  return pad(sign + digits, shape.flags, shape.width);
}

function readInteger(text: string, state: PrintState): bigint {
  const character = /^["'](.)/su.exec(text)?.[1];
  if (character !== undefined) return BigInt(character.codePointAt(0) ?? 0);
  const match = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)$/.exec(text);
  if (match === null) {
    complain(state.run, `invalid number '${text}'`);
    state.status = 1;
    return 0n;
  }
  const digits = match[2] ?? '0';
  const value = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return match[1] === '-' ? -value : value;
}

const WIDEST = 4096;

function pad(text: string, flags: string, width: string): string {
  const columns = Number(width || '0');
  if (columns > WIDEST) throw new NotModelled(`a width over ${WIDEST}`);
  return flags.includes('-') ? text.padEnd(columns) : text.padStart(columns);
}
