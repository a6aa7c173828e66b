/** `echo`, and the backslash escapes that `printf %b` shares with it. */
import type { AppletRun } from './applet.ts';
import { print } from './applet.ts';

/** `echo [-neE] WORDS`: options only in front, only these letters. */
export function echo(run: AppletRun): number {
  let escapes = false;
  let newline = true;
  let words = run.args;
  for (let first = words[0]; first !== undefined && /^-[neE]+$/.test(first); first = words[0]) {
    for (const letter of first.slice(1)) {
      if (letter === 'n') newline = false;
      else escapes = letter === 'e';
    }
    words = words.slice(1);
  }
  const text = words.join(' ');
  if (!escapes) {
    print(run, newline ? `${text}\n` : text);
    return 0;
  }
  const { output, stopped } = interpretEscapes(text);
  print(run, newline && !stopped ? `${output}\n` : output);
  return 0;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', '\\': '\\', e: '\x1b' };

/** Backslash escapes of `echo -e` and `printf %b`; `\c` stops all output. */
export function interpretEscapes(text: string): { readonly output: string; readonly stopped: boolean } {
  let output = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    const next = text.charAt(index + 1);
    if (character !== '\\' || next === '') {
      output += character;
      continue;
    }
    if (next === 'c') return { output, stopped: true };
    const octal = /^\\(?:0([0-7]{0,3})|([1-7][0-7]{0,2}))/.exec(text.slice(index));
    const hexadecimal = /^\\x([0-9a-fA-F]{1,2})/.exec(text.slice(index));
    if (octal !== null) {
      output += String.fromCharCode(Number.parseInt(octal[1] ?? octal[2] ?? '0', 8) || 0);
      index += octal[0].length - 1;
    } else if (hexadecimal !== null) {
      output += String.fromCharCode(Number.parseInt(hexadecimal[1] ?? '0', 16));
      index += hexadecimal[0].length - 1;
    } else {
      output += ESCAPES[next] ?? `\\${next}`;
      index += 1;
    }
  }
  return { output, stopped: false };
}
