/** What a running process and its surroundings ask of each other. */

/** A process gives way: it goes on after so many virtual milliseconds (Infinity: never by itself). */
export interface Wait {
  readonly ms: number;
  /** It did not ask to sleep: it ran so many commands at one moment that it takes a second for them. */
  readonly busy?: true;
}

/** A computation that may wait. */
export type Steps<T> = Generator<Wait, T, void>;

/**
 * Commands that a process runs at one moment before a second passes. A loop without a sleep would never end otherwise: a
 * limit of this simulation, not of busybox.
 */
export const COMMANDS_PER_SECOND = 10_000;

/** Signals by name, with Linux's numbers. */
export const SIGNALS = {
  HUP: 1, INT: 2, QUIT: 3, ILL: 4, TRAP: 5, ABRT: 6, BUS: 7, FPE: 8, KILL: 9, USR1: 10, SEGV: 11, USR2: 12, PIPE: 13,
  ALRM: 14, TERM: 15, CHLD: 17, CONT: 18, STOP: 19, TSTP: 20, TTIN: 21, TTOU: 22,
} as const;
export type SignalName = keyof typeof SIGNALS;

/** The signal that a word names (`TERM`, `SIGTERM`, `15`); undefined when none. */
export function signalNamed(word: string): SignalName | undefined {
  const name = word.toUpperCase().replace(/^SIG/, '');
  const entries = Object.entries(SIGNALS) as [SignalName, number][];
  return entries.find(([known, number]) => known === name || String(number) === word)?.[0];
}

/** A process ended by a signal, from wherever in it. Its exit code is 128 and the signal's number. */
export class KilledBySignal extends Error {
  override readonly name = 'KilledBySignal';
  readonly signal: SignalName;

  constructor(signal: SignalName) {
    super(`killed by SIG${signal}`);
    this.signal = signal;
  }
}

/** The kernel and the container around a process. */
export interface ProcessHost {
  readonly pid: number;
  readonly hostname: string;
  /**
   * Sends a signal to a process of the container, or only asks for the process when the signal is undefined. False when
   * there is no such process. Throws KilledBySignal when the signal ends the caller.
   */
  kill(pid: number, signal: SignalName | undefined): boolean;
  /** The next signal that arrived and that the process said it handles. */
  takeSignal(): SignalName | undefined;
  /** Says which signals the process handles itself; all others keep their default. */
  handleSignals(names: ReadonlySet<SignalName>, ignored: ReadonlySet<SignalName>): void;
  /** Counts one command. True when a second must pass before the next. */
  spend(): boolean;
  /** A number for a process that a shell starts. */
  nextPid(): number;
}
