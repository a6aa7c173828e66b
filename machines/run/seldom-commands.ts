/** The seldom kubectl commands, read and carried out: what a simulation is given so that its person may type them. */
import type { World } from '../kernel/world.ts';
import type { ClusterView, KubectlOutcome, SeldomCommand, SeldomParser } from '../kubectl/common.ts';
import { runEvents } from '../kubectl/events.ts';
import { parseSeldom } from '../kubectl/seldom.ts';
import { drainNodes } from './drain.ts';
import { waitFor } from './kubectl-wait.ts';

export interface SeldomCommands {
  readonly parse: SeldomParser;
  readonly run: (world: World, command: SeldomCommand, view: ClusterView) => KubectlOutcome;
}

export const seldomCommands: SeldomCommands = {
  parse: parseSeldom,
  run: (world, command, view) => {
    if (command.verb === 'events') return runEvents(command, view);
    return command.verb === 'wait' ? waitFor(world, command, view) : drainNodes(world, command, view);
  },
};
