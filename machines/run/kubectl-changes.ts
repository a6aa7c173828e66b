/** The kubectl commands that change objects, carried out on the simulated cluster (k8s.io/kubectl pkg/cmd, v0.35). */
import { ApiError } from '../kernel/api-error.ts';
import type { World } from '../kernel/world.ts';
import type { Change, ChangeCommand, ClusterView, KubectlOutcome } from '../kubectl/common.ts';
import { chosenObjects, qualifiedPlural, qualifiedSingular, resourceOfKind } from '../kubectl/common.ts';
import type { AnyObject, Json, Kind, Patch, Taint } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { refusalText, severalErrors } from './kubectl-errors.ts';
import { passUntil } from './pass-until.ts';
import { patched } from './patched.ts';
import { withTaints } from './taints.ts';

/** How long a delete without `--timeout` waits here for objects that do not go: somebody has to end it. */
const LONGEST_WAIT_MS = 180_000;
const FORCED = 'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n';
const SCALABLE: ReadonlySet<Kind> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet']);
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

/** Does the command and answers what kubectl prints: a line for each object, then what went wrong. */
export function changeObjects(world: World, command: ChangeCommand, view: ClusterView): KubectlOutcome {
  const { objects, errors } = chosenObjects(command, view);
  const { change } = command;
  // Cordoning looks at all nodes before it changes the first.
  if (change.type === 'cordon' && errors.length > 0) return { code: 1, text: errors.join('') };
  let text = change.type === 'delete' && change.graceSeconds === 0 ? FORCED : '';
  for (const object of objects) {
    try {
      text += done(world, object, change);
    } catch (error) {
      if (error instanceof ApiError) errors.push(refusalText(error));
      else if (error instanceof Refusal) errors.push(`error: ${error.message}\n`);
      else throw error;
    }
  }
  if (errors.length === 0 && objects.length === 0) return nothingChosen(change, view);
  if (change.type === 'delete' && change.wait && errors.length === 0) errors.push(...waitGone(world, objects, change.timeoutMs ?? LONGEST_WAIT_MS));
  return { code: errors.length === 0 ? 0 : 1, text: text + errors.join('') };
}

/** A mistake that kubectl finds in one object, before it asks the API server. */
class Refusal extends Error {}

function nothingChosen(change: Change, view: ClusterView): KubectlOutcome {
  if (change.type === 'delete') return { code: 0, text: 'No resources found\n' };
  if (change.type === 'restart') return { code: 0, text: `No resources found in ${view.namespace} namespace.\n` };
  if (change.type === 'scale' || change.type === 'patch') return { code: 1, text: `error: no objects passed to ${change.type}\n` };
  return { code: 0, text: '' };
}

/** Changes one object; the line that kubectl prints for it. */
function done(world: World, object: AnyObject, change: Change): string {
  const said = (operation: string): string => `${qualifiedSingular(resourceOfKind(object.kind))}/${object.metadata.name} ${operation}\n`;
  switch (change.type) {
    case 'scale':
      if (!SCALABLE.has(object.kind)) throw new ApiError('NotFound', 'the server could not find the requested resource');
      merge(world, object, { spec: { replicas: change.replicas } });
      return said('scaled');
    case 'restart':
      return restart(world, object, said);
    case 'labels':
    case 'annotations':
      return changeMetadata(world, object, change, said);
    case 'cordon':
      return cordonNode(world, object, change.unschedulable);
    case 'patch':
      return said(write(world, object, change.patch) ? 'patched' : 'patched (no change)');
    case 'taint':
      return taint(world, object, change, said);
    case 'delete':
      return remove(world, object, change.graceSeconds);
  }
}

/** Sends a merge patch; whether it changed anything. */
function merge(world: World, object: AnyObject, patch: Json): boolean {
  return write(world, object, { type: 'merge', merge: patch });
}

function write(world: World, object: AnyObject, patch: Patch): boolean {
  const { namespace, name } = object.metadata;
  const before = world.api.get(object.kind, namespace, name);
  return world.api.update(object.kind, namespace, name, (stored) => patched(stored, patch)) !== before;
}

/** @modelled k8s.io/kubectl pkg/polymorphichelpers/objectrestarter.go, v0.35 */
function restart(world: World, object: AnyObject, said: (operation: string) => string): string {
  if (object.kind !== 'Deployment' && object.kind !== 'StatefulSet') throw new Refusal(`${qualifiedPlural(resourceOfKind(object.kind))} ${JSON.stringify(object.metadata.name)} restarting is not supported`);
  const changed = merge(world, object, { spec: { template: { metadata: { annotations: { [RESTARTED_AT]: world.api.timestamp() } } } } });
  if (!changed) throw new Refusal(`failed to create patch for ${object.metadata.name}: if restart has already been triggered within the past second, please wait before attempting to trigger another`);
  return said('restarted');
}

/** Cordons or uncordons; the line that kubectl prints. @modelled k8s.io/kubectl pkg/cmd/drain/drain.go (RunCordonOrUncordon), v0.35 */
export function cordonNode(world: World, object: AnyObject, unschedulable: boolean): string {
  const word = unschedulable ? 'cordoned' : 'uncordoned';
  const changed = merge(world, object, { spec: { unschedulable: unschedulable ? true : null } });
  return `node/${object.metadata.name} ${changed ? word : `already ${word}`}\n`;
}

/** @modelled k8s.io/kubectl pkg/cmd/taint/taint.go (updateTaints), pkg/cmd/taint/utils.go, v0.35 */
function taint(world: World, object: AnyObject, { set, remove: removed, overwrite }: Extract<Change, { type: 'taint' }>, said: (operation: string) => string): string {
  const before = (object as { readonly spec: { readonly taints?: readonly Taint[] } }).spec.taints ?? [];
  const taken = set.filter((taint) => before.some((other) => isSameTaint(other, taint)));
  if (taken.length > 0 && !overwrite) throw new Refusal(`node ${object.metadata.name} already has ${taken.map(({ key }) => key).join(',')} taint(s) with same effect(s) and --overwrite is false`);
  const all = [...set, ...before.filter((taint) => !set.some((other) => isSameTaint(other, taint)))];
  const added = all.length !== before.length;
  let left: readonly Taint[] = all;
  let deleted = false;
  for (const { key, effect } of removed) {
    const rest = left.filter((taint) => taint.key !== key || (effect !== undefined && taint.effect !== effect));
    deleted = rest.length !== left.length;
    if (!deleted) throw new Refusal(`taint ${JSON.stringify(effect === undefined ? key : `${key}:${effect}`)} not found`);
    left = rest;
  }
  world.api.update('Node', undefined, object.metadata.name, (node) => (deepEqual(node.spec.taints ?? [], left) ? node : withTaints(node, left)));
  return said((added && deleted) || overwrite ? 'modified' : added ? 'tainted' : 'untainted');
}

function isSameTaint(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

type MetadataChange = Extract<Change, { type: 'labels' | 'annotations' }>;

/** @modelled k8s.io/kubectl pkg/cmd/label/label.go (RunLabel), pkg/cmd/annotate/annotate.go (RunAnnotate), v0.35 */
function changeMetadata(world: World, object: AnyObject, { type, set, remove: removed, overwrite }: MetadataChange, said: (operation: string) => string): string {
  const before: Readonly<Record<string, string>> = object.metadata[type] ?? {};
  const taken = overwrite ? [] : [...set].filter(([key, value]) => before[key] !== undefined && before[key] !== value).map(([key]) => `'${key}' already has a value (${before[key] ?? ''})`);
  if (taken.length > 0) throw new Refusal(type === 'labels' ? severalErrors(taken.map((one) => `${one}, and --overwrite is false`)) : `--overwrite is false but found the following declared annotation(s): ${taken.join('; ')}`);
  const changed = merge(world, object, { metadata: { [type]: { ...Object.fromEntries(set), ...Object.fromEntries(removed.map((key) => [key, null])) } } });
  if (type === 'annotations') return said('annotated');
  const missing = removed.filter((key) => before[key] === undefined).map((key) => `label ${JSON.stringify(key)} not found.\n`).join('');
  const shorter = set.size === 0 && !overwrite;
  return missing + said(changed ? (shorter ? 'unlabeled' : 'labeled') : 'not labeled');
}

/** @modelled k8s.io/kubectl pkg/cmd/delete/delete.go (PrintObj), v0.35 */
function remove(world: World, object: AnyObject, graceSeconds: number | undefined): string {
  const { namespace, name } = object.metadata;
  world.api.delete(object.kind, namespace, name, graceSeconds === undefined ? {} : { graceSeconds });
  const operation = graceSeconds === 0 ? 'force deleted' : 'deleted';
  return `${qualifiedSingular(resourceOfKind(object.kind))} "${name}" ${operation}${namespace === undefined ? '' : ` from ${namespace} namespace`}\n`;
}

/** Lets virtual time pass until these very objects are gone; for each that is not in time, what kubectl says. */
function waitGone(world: World, objects: readonly AnyObject[], timeoutMs: number): string[] {
  const end = world.clock.now + timeoutMs;
  const isThere = ({ kind, metadata }: AnyObject): boolean => world.api.get(kind, metadata.namespace, metadata.name)?.metadata.uid === metadata.uid;
  passUntil(world, end, () => !objects.some(isThere));
  return objects.filter(isThere).map(({ kind, metadata }) => `error: timed out waiting for the condition on ${resourceOfKind(kind).plural}/${metadata.name}\n`);
}
