/** The seldom kubectl commands, read and carried out: what a simulation is given so that its person may type them. */
import type { World } from '../kernel/world.ts';
import type { ClusterView, KubectlOutcome, NodeDescriber, SeldomCommand, SeldomParser } from '../kubectl/common.ts';
import { runEvents } from '../kubectl/events.ts';
import { describeNode, parseSeldom } from '../kubectl/seldom.ts';
import { drainNodes } from './drain.ts';
import { waitFor } from './kubectl-wait.ts';
import { changeRollouts } from './rollout-change.ts';

export interface SeldomCommands {
  readonly parse: SeldomParser;
  readonly describeNode: NodeDescriber;
  readonly run: (world: World, command: SeldomCommand, view: ClusterView) => KubectlOutcome;
}

export const seldomCommands: SeldomCommands = {
  parse: parseSeldom,
  describeNode,
  run: (world, command, view) => {
    switch (command.verb) {
      case 'events':
        return runEvents(command, view);
      case 'wait':
        return waitFor(world, command, view);
      case 'drain':
        return drainNodes(world, command, view);
      case 'rollout':
        return changeRollouts(world, command, view);
    }
  },
};
