/**
 * One state in several windows. Every window may change it; the change with the higher number holds, and of two changes
 * made at once the one of the window with the greater name. So all windows come to the same state in whatever order they
 * hear of the changes, and a window that is loaded again gets it from the others or from what it kept itself.
 */

/** How windows reach each other; in the browser a BroadcastChannel. */
export interface Wire {
  readonly post: (message: unknown) => void;
  /** Calls back for each message of another window. */
  readonly listen: (hear: (message: unknown) => void) => void;
}

/** Where a window keeps the state for when it is loaded again. */
export interface Shelf {
  readonly read: () => unknown;
  readonly write: (entry: unknown) => void;
}

interface Entry<State> {
  readonly rev: number;
  readonly by: string;
  readonly state: State;
}

export interface MirrorOptions<State> {
  readonly wire: Wire;
  readonly shelf: Shelf;
  /** A name no other window has. */
  readonly me: string;
  readonly opening: State;
  readonly pack: (state: State) => unknown;
  /** Undefined for what is no state. */
  readonly unpack: (value: unknown) => State | undefined;
  readonly onChange: (state: State) => void;
}

export interface Mirror<State> {
  readonly state: () => State;
  readonly set: (state: State) => void;
}

/** The version of what windows say to each other: windows of different versions of the site do not mix. */
const VERSION = 1;

export function openMirror<State>(options: MirrorOptions<State>): Mirror<State> {
  const { wire, shelf, me, pack, unpack, onChange } = options;
  let entry: Entry<State> = readEntry(shelf.read(), unpack) ?? { rev: 0, by: me, state: options.opening };

  const packed = (): unknown => ({ rev: entry.rev, by: entry.by, state: pack(entry.state) });
  const hold = (next: Entry<State>): void => {
    entry = next;
    shelf.write(packed());
  };

  wire.listen((message) => {
    const heard = readMessage(message, unpack);
    if (heard === undefined) return;
    if (heard.entry !== undefined && isNewer(heard.entry, entry)) {
      hold(heard.entry);
      onChange(entry.state);
    } else if (heard.kind === 'hello' && (heard.entry === undefined || isNewer(entry, heard.entry))) {
      wire.post({ version: VERSION, kind: 'state', entry: packed() });
    }
  });
  wire.post({ version: VERSION, kind: 'hello', entry: packed() });

  return {
    state: () => entry.state,
    set(state) {
      hold({ rev: entry.rev + 1, by: me, state });
      wire.post({ version: VERSION, kind: 'state', entry: packed() });
      onChange(state);
    },
  };
}

function isNewer(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.rev > b.rev || (a.rev === b.rev && a.by > b.by);
}

function readMessage<State>(message: unknown, unpack: (value: unknown) => State | undefined): { kind: string; entry: Entry<State> | undefined } | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { version, kind, entry } = message as Record<string, unknown>;
  if (version !== VERSION || (kind !== 'hello' && kind !== 'state')) return undefined;
  return { kind, entry: readEntry(entry, unpack) };
}

function readEntry<State>(value: unknown, unpack: (value: unknown) => State | undefined): Entry<State> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { rev, by, state } = value as Record<string, unknown>;
  const read = unpack(state);
  return typeof rev === 'number' && Number.isInteger(rev) && typeof by === 'string' && read !== undefined ? { rev, by, state: read } : undefined;
}
