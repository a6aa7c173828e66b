/** `kubectl wait` on the simulated cluster: virtual time passes until it is met or its time is up (k8s.io/kubectl pkg/cmd/wait, v0.35). */
import type { World } from '../kernel/world.ts';
import type { ClusterView, KubectlOutcome } from '../kubectl/common.ts';
import { chosenObjects, fieldMatcher, notFound, qualifiedPlural, qualifiedSingular, resourceOfKind } from '../kubectl/common.ts';
import { KubectlError } from '../kubectl/outcome.ts';
import type { WaitCommand } from '../kubectl/wait.ts';
import { meetsCondition } from '../kubectl/wait.ts';
import type { AnyObject } from '../model/objects.ts';
import { severalLines } from './kubectl-errors.ts';
import { passUntil } from './pass-until.ts';

/** kubectl with a timeout below 0 waits for a week: somebody has to end it earlier. */
const LONGEST_WAIT_MS = 3_600_000;
const CREATE_POLL_MS = 500;
const TIMED_OUT = 'error: timed out waiting for the condition';

/**
 * One object after the other, all within one timeout: when it is up, those that were not looked at are not met either.
 * An object that goes meanwhile is waited for in vain.
 * @modelled k8s.io/kubectl pkg/cmd/wait/wait.go (RunWait), v0.35
 */
export function waitFor(world: World, command: WaitCommand, view: ClusterView): KubectlOutcome {
  const { condition, timeoutMs } = command;
  const end = world.clock.now + (timeoutMs < 0 ? LONGEST_WAIT_MS : timeoutMs);
  if (condition.type === 'create' && !waitCreated(world, command, view, end)) return { code: 1, text: `${TIMED_OUT}\n` };
  const keeps = fieldMatcher(command.fieldSelector);
  const errors: string[] = [];
  let looked = 0;
  let text = '';
  for (const target of command.targets) {
    const { objects, errors: missing } = chosenObjects({ ...command, targets: [target] }, view);
    if (condition.type !== 'delete') errors.push(...missing);
    for (const object of objects.filter(keeps)) {
      looked++;
      try {
        awaitOne(world, command, object, end);
        text += `${qualifiedSingular(resourceOfKind(object.kind))}/${object.metadata.name} condition met\n`;
      } catch (error) {
        if (!(error instanceof KubectlError)) throw error;
        errors.push(`${error.message}\n`);
      }
    }
  }
  if (looked === 0 && errors.length === 0 && condition.type !== 'delete') errors.push('error: no matching resources found\n');
  return { code: errors.length === 0 ? 0 : 1, text: text + severalLines(errors) };
}

/** Looks twice a second until the one object that is missing is there; several missing ones are an error at once. */
function waitCreated(world: World, command: WaitCommand, view: ClusterView, end: number): boolean {
  while (chosenObjects(command, view).errors.length === 1) {
    if (world.clock.now >= end) return false;
    world.clock.runUntil(Math.min(world.clock.now + CREATE_POLL_MS, end));
  }
  return true;
}

function awaitOne(world: World, { condition, timeoutMs }: WaitCommand, { kind, metadata }: AnyObject, end: number): void {
  const { namespace, name, uid } = metadata;
  const resource = resourceOfKind(kind);
  const stored = (): AnyObject | undefined => world.api.get(kind, namespace, name);
  const isMet = (): boolean => {
    const object = stored();
    if (condition.type === 'delete') return object?.metadata.uid !== uid;
    return object !== undefined && meetsCondition(condition, object);
  };
  if (condition.type === 'create') return;
  if (condition.type !== 'delete' && stored() === undefined) throw notFound(qualifiedPlural(resource), name);
  if (condition.type === 'delete' && stored() === undefined) return;
  if (timeoutMs === 0) {
    if (!isMet()) throw new KubectlError(`error: condition not met for ${resource.plural}/${name}`);
    return;
  }
  if (world.clock.now >= end || !passUntil(world, end, isMet)) {
    throw new KubectlError(timeoutMs < 0 ? 'error: the condition was not met within an hour, and this simulation waits no longer: give a --timeout' : `${TIMED_OUT} on ${resource.plural}/${name}`);
  }
}
