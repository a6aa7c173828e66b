/** The kubectl commands that are seldom typed: a part of its own, so that a browser need not load it with the rest. */
import type { SeldomParser, SeldomVerb } from './command.ts';
import type { Flags } from './command-words.ts';
import { parseDrain } from './drain.ts';
import { parseEvents } from './events.ts';
import { parseRollout, parseSet } from './rollout-change.ts';
import { parseTaints } from './taint.ts';
import { parseWait } from './wait.ts';

const PARSERS: Readonly<Record<SeldomVerb, (positional: readonly string[], flags: Flags) => ReturnType<SeldomParser>>> = {
  'events': parseEvents,
  'wait': parseWait,
  'drain': parseDrain,
  'taint': parseTaints,
  'set': parseSet,
  'rollout history': (positional, flags) => parseRollout('history', positional, flags),
  'rollout undo': (positional, flags) => parseRollout('undo', positional, flags),
  'rollout pause': (positional, flags) => parseRollout('pause', positional, flags),
  'rollout resume': (positional, flags) => parseRollout('resume', positional, flags),
};

/** Reads a seldom command. Throws a KubectlError for a mistake in it. */
export const parseSeldom: SeldomParser = (verb, positional, flags) => PARSERS[verb](positional, flags);

export { describeNode } from './describe-node.ts';
