/** The states of a claim and of a volume as the PV controller moves them (ref 2). */
import { chart, type Chart, type Lanes } from '../../kernel/machine.ts';

/** One lane per claim, key `namespace/name`. */
export const claimBindingChart = chart({
  id: 'claim-binding',
  initial: 'unbound',
  states: {
    unbound: { on: { WAIT_FOR_CONSUMER: 'waitingForFirstConsumer', WAIT_FOR_VOLUME: 'waitingForVolume', REQUEST_PROVISIONING: 'provisioningRequested', BIND: 'binding', LOSE: 'lost', DELETE: 'terminating' } },
    waitingForFirstConsumer: { on: { WAIT_FOR_VOLUME: 'waitingForVolume', REQUEST_PROVISIONING: 'provisioningRequested', BIND: 'binding', DELETE: 'terminating' } },
    waitingForVolume: { on: { WAIT_FOR_CONSUMER: 'waitingForFirstConsumer', REQUEST_PROVISIONING: 'provisioningRequested', BIND: 'binding', DELETE: 'terminating' } },
    provisioningRequested: { on: { WAIT_FOR_CONSUMER: 'waitingForFirstConsumer', WAIT_FOR_VOLUME: 'waitingForVolume', BIND: 'binding', DELETE: 'terminating' } },
    binding: { on: { BOUND: 'bound', CONFLICT: 'unbound', LOSE: 'lost', DELETE: 'terminating' } },
    bound: { on: { BIND: 'binding', LOSE: 'lost', DELETE: 'terminating' } },
    lost: { on: { BIND: 'binding', DELETE: 'terminating' } },
    terminating: {},
  },
});

/** One lane per volume, key the volume's name. The states are its phases; a volume that is being deleted is terminating once no claim holds it. */
export const volumeChart = chart({
  id: 'volume',
  initial: 'pending',
  states: {
    pending: { on: { MAKE_AVAILABLE: 'available', BIND: 'bound', RELEASE: 'released', FAIL: 'failed', DELETE: 'terminating' } },
    available: { on: { BIND: 'bound', RELEASE: 'released', FAIL: 'failed', DELETE: 'terminating' } },
    bound: { on: { MAKE_AVAILABLE: 'available', RELEASE: 'released' } },
    released: { on: { MAKE_AVAILABLE: 'available', BIND: 'bound', FAIL: 'failed', DELETE: 'terminating' } },
    failed: { on: { MAKE_AVAILABLE: 'available', BIND: 'bound', DELETE: 'terminating' } },
    terminating: {},
  },
});

type LanesOf<C> = C extends Chart<infer S, infer E> ? Lanes<S, E> : never;
export type ClaimLanes = LanesOf<typeof claimBindingChart>;
export type ClaimLane = ReturnType<ClaimLanes['get']>;
export type VolumeLanes = LanesOf<typeof volumeChart>;
