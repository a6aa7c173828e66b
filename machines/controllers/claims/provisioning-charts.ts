/** The states of making and deleting volumes, as the provisioner sees them (ref 4). */
import { chart, type Chart, type Lane, type Lanes } from '../../kernel/machine.ts';

/** One lane per claim, key `namespace/name`. */
export const provisioningChart = chart({
  id: 'provisioning',
  initial: 'idle',
  states: {
    idle: { on: { START: 'creating', FAIL: 'backOff' } },
    creating: { on: { SUCCEED: 'succeeded', FAIL: 'backOff', LOSE_SIGHT: 'inBackground', REFUSE: 'infeasible', RESCHEDULE: 'idle' } },
    inBackground: { on: { START: 'creating', STOP: 'idle' } },
    backOff: { on: { START: 'creating', STOP: 'idle' } },
    infeasible: { on: { START: 'creating', STOP: 'idle' } },
    succeeded: { on: { START: 'creating' } },
  },
});

/** One lane per volume, key the volume's name. */
export const volumeDeletionChart = chart({
  id: 'volume-deletion',
  initial: 'idle',
  states: {
    idle: { on: { START: 'deleting', FAIL: 'backOff' } },
    deleting: { on: { SUCCEED: 'deleted', FAIL: 'backOff' } },
    backOff: { on: { START: 'deleting' } },
    deleted: { on: { START: 'deleting' } },
  },
});

type LaneOf<C> = C extends Chart<infer S, infer E> ? Lane<S, E> : never;
type LanesOf<C> = C extends Chart<infer S, infer E> ? Lanes<S, E> : never;
export type ProvisioningLane = LaneOf<typeof provisioningChart>;
export type ProvisioningLanes = LanesOf<typeof provisioningChart>;
export type DeletionLanes = LanesOf<typeof volumeDeletionChart>;
