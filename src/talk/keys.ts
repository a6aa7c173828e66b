/** What the keys of a talk mean, a clicker's keys among them. */

export type Command =
  | { readonly do: 'next' | 'back' | 'first' | 'last' | 'black' | 'presenter' | 'fullScreen' | 'keys' | 'leave' | 'ahead' | 'runOn' | 'runBack' | 'undo' | 'show' }
  /** To a step, from 1. */
  | { readonly do: 'go'; readonly to: number };

/** The part of a keyboard event that counts. */
export interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

const PLAIN: Readonly<Record<string, Exclude<Command['do'], 'go'>>> = {
  ArrowRight: 'next', ArrowDown: 'next', PageDown: 'next', ' ': 'next',
  ArrowLeft: 'back', ArrowUp: 'back', PageUp: 'back', Backspace: 'back',
  Home: 'first', End: 'last',
  b: 'black', B: 'black', '.': 'black',
  p: 'presenter', P: 'presenter', f: 'fullScreen', F: 'fullScreen', l: 'ahead', L: 'ahead', u: 'undo', U: 'undo',
  ']': 'runOn', '[': 'runBack', '?': 'keys', Escape: 'leave', Enter: 'show',
};

/** The longest number of a step that can be typed. */
const MOST_DIGITS = 4;

export interface Pressed {
  readonly command: Command | undefined;
  /** The digits typed so far. */
  readonly digits: string;
  /** Does the key mean anything to the talk? */
  readonly mine: boolean;
}

/** What a key means after the digits typed before it. Digits wait for Enter, or for the time that the window gives them. */
export function press(key: Key, digits: string): Pressed {
  if (key.ctrlKey || key.altKey || key.metaKey) return { command: undefined, digits, mine: false };
  if (/^[0-9]$/.test(key.key)) return { command: undefined, digits: (digits + key.key).slice(-MOST_DIGITS), mine: true };
  if (key.key === 'Enter' && digits !== '') return { command: goTo(digits), digits: '', mine: true };
  if (key.key === 'Escape' && digits !== '') return { command: undefined, digits: '', mine: true };
  if (key.key === ' ' && key.shiftKey) return { command: { do: 'back' }, digits: '', mine: true };
  const plain = PLAIN[key.key];
  return plain === undefined ? { command: undefined, digits, mine: false } : { command: { do: plain }, digits: '', mine: true };
}

/** The jump that typed digits ask for. */
export function goTo(digits: string): Command {
  return { do: 'go', to: Number(digits) };
}
