/**
 * kubectl, printed from objects: the door of this directory.
 *
 * Everything is a function of the view given. `get`, `describe` and `exec` answer at once. `rollout status` waits, so a
 * caller with a clock drives it: see rollout.ts.
 */
export * from './common.ts';
export { parseKubectl, runKubectl } from './whole.ts';
