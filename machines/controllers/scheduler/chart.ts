/** The states of a pod on its way to a node, and of a preemption. */
import { chart, type Chart, type Lane } from '../../kernel/machine.ts';

/**
 * A pod in the scheduler. `queued`, `backOff` and `unschedulable` are the three queues; `filtering` is the scheduling cycle,
 * one pod at a time; `reserved` to `binding` is the binding cycle, any number at a time.
 */
export const schedulingChart = chart({
  id: 'scheduling',
  initial: 'queued',
  states: {
    queued: { on: { POP: 'filtering' } },
    filtering: { on: { FITS: 'reserved', NO_FIT: 'unschedulable', RETRY: 'backOff' } },
    unschedulable: { on: { REQUEUE: 'queued', REQUEUE_AFTER_BACKOFF: 'backOff' } },
    backOff: { on: { BACKOFF_COMPLETE: 'queued', POP_EARLY: 'filtering' } },
    reserved: { on: { PREBIND: 'preBinding', BIND: 'binding' } },
    preBinding: { on: { VOLUMES_BOUND: 'binding', UNRESERVE: 'backOff' } },
    binding: { on: { BOUND: 'bound', UNRESERVE: 'backOff' } },
    bound: { type: 'final' },
  },
});

type LaneOf<C> = C extends Chart<infer S, infer E> ? Lane<S, E> : never;
export type SchedulingLane = LaneOf<typeof schedulingChart>;

/** A pod that looks for lower-priority pods to remove. */
export const preemptionChart = chart({
  id: 'preemption',
  initial: 'idle',
  states: {
    idle: { on: { DRY_RUN: 'dryRun', NO_POTENTIAL_NODE: 'notHelpful' } },
    dryRun: { on: { NO_CANDIDATE: 'notHelpful', CANDIDATE: 'victimsChosen' } },
    notHelpful: { on: { DRY_RUN: 'dryRun', NO_POTENTIAL_NODE: 'notHelpful' } },
    victimsChosen: { on: { EVICT: 'evicting', GOING_ALREADY: 'evicted' } },
    evicting: { on: { VICTIMS_DELETED: 'evicted' } },
    evicted: { on: { DRY_RUN: 'dryRun', NO_POTENTIAL_NODE: 'notHelpful' } },
  },
});
export type PreemptionLane = LaneOf<typeof preemptionChart>;
