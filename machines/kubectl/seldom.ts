/** The kubectl commands that are seldom typed: a part of its own, so that a browser need not load it with the rest. */
import type { SeldomParser } from './command.ts';
import { parseDrain } from './drain.ts';
import { parseEvents } from './events.ts';
import { parseTaints } from './taint.ts';
import { parseWait } from './wait.ts';

const PARSERS = { events: parseEvents, wait: parseWait, drain: parseDrain, taint: parseTaints } as const;

/** Reads a seldom command. Throws a KubectlError for a mistake in it. */
export const parseSeldom: SeldomParser = (verb, positional, flags) => PARSERS[verb](positional, flags);
