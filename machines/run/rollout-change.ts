/** `kubectl rollout history|undo|pause|resume` and `kubectl set image` on the simulated cluster (k8s.io/kubectl pkg/polymorphichelpers, v0.35). */
import { ApiError } from '../kernel/api-error.ts';
import type { World } from '../kernel/world.ts';
import type { ClusterView, KubectlOutcome } from '../kubectl/common.ts';
import { chosenObjects, qualifiedPlural, qualifiedSingular, resourceOfKind } from '../kubectl/common.ts';
import type { RolloutAction, RolloutCommand } from '../kubectl/rollout-change.ts';
import { DESCRIBE_TABS, TabWriter } from '../kubectl/tabwriter.ts';
import type { AnyObject, Container, Deployment, Json, Pod, PodTemplate, ReplicaSet, StatefulSet } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { refusalText, severalLines } from './kubectl-errors.ts';
import { patched } from './patched.ts';

const HASH = 'pod-template-hash';
const REVISION = 'deployment.kubernetes.io/revision';

/** What kubectl says against one object, without `error:`. */
class Refusal extends Error {}

/** Does the action to each object; a line for each. */
export function changeRollouts(world: World, command: RolloutCommand, view: ClusterView): KubectlOutcome {
  const { objects, errors } = chosenObjects(command, view);
  let text = '';
  for (const object of objects) {
    try {
      text += done(world, object, command.action);
    } catch (error) {
      if (error instanceof Refusal) errors.push(`error: ${error.message}\n`);
      else if (error instanceof ApiError) errors.push(refusalText(error));
      else throw error;
    }
  }
  return { code: errors.length === 0 ? 0 : 1, text: text + severalLines(errors) };
}

function done(world: World, object: AnyObject, action: RolloutAction): string {
  const said = (operation: string): string => `${qualifiedSingular(resourceOfKind(object.kind))}/${object.metadata.name} ${operation}\n`;
  switch (action.type) {
    case 'history':
      return said(`\n${historyText(revisionsOf(world, object, 'no history viewer has been implemented for'))}`);
    case 'undo':
      return said(undo(world, object, action.revision));
    case 'pause':
    case 'resume':
      return said(setPaused(world, object, action.type === 'pause'));
    case 'image':
      return setImages(world, object, action.images) ? said('image updated') : '';
  }
}

interface Revision {
  readonly revision: number;
  readonly template: PodTemplate;
  readonly cause: string;
}

/** The templates that an object had, the oldest first. */
function revisionsOf(world: World, object: AnyObject, otherwise: string): Revision[] {
  const isOwned = ({ metadata }: AnyObject): boolean => metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === object.metadata.uid) === true;
  const revision = (number: number, template: PodTemplate, { annotations }: AnyObject['metadata']): Revision => ({ revision: number, template, cause: annotations?.['kubernetes.io/change-cause'] ?? '<none>' });
  const found =
    object.kind === 'Deployment'
      ? [...world.api.list('ReplicaSet')].filter(isOwned).map((set) => revision(Number(set.metadata.annotations?.[REVISION]), set.spec.template, set.metadata))
      : object.kind === 'StatefulSet'
        ? [...world.api.list('ControllerRevision')].filter(isOwned).map((stored) => revision(stored.revision, stored.data.template, stored.metadata))
        : undefined;
  if (found === undefined) throw new Refusal(`${otherwise} ${JSON.stringify(object.kind)}`);
  return found.filter((one) => Number.isFinite(one.revision)).toSorted((a, b) => a.revision - b.revision);
}

/** @modelled k8s.io/kubectl pkg/polymorphichelpers/history.go, v0.35 */
function historyText(revisions: readonly Revision[]): string {
  if (revisions.length === 0) return 'No rollout history found.';
  const writer = new TabWriter(DESCRIBE_TABS);
  writer.write('REVISION\tCHANGE-CAUSE\n');
  for (const { revision, cause } of revisions) writer.write(`${revision}\t${cause}\n`);
  writer.flush();
  return writer.text();
}

/** Makes the template of a former revision the present one. @modelled k8s.io/kubectl pkg/polymorphichelpers/rollback.go, v0.35 */
function undo(world: World, object: AnyObject, wanted: number): string {
  const revisions = revisionsOf(world, object, 'no rollbacker has been implemented for');
  const { namespace, name } = object.metadata;
  const former = wanted === 0 ? revisions.at(-2) : revisions.find(({ revision }) => revision === wanted);
  if (former === undefined) throw new Refusal(wanted > 0 ? `unable to find specified revision ${wanted} in history` : object.kind === 'Deployment' ? `no rollout history found for deployment ${JSON.stringify(name)}` : 'no last revision to roll back to');
  if (object.kind === 'Deployment' && object.spec.paused === true) throw new Refusal("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again");
  const template = withoutHash(former.template);
  const { kind } = object;
  if (kind !== 'Deployment' && kind !== 'StatefulSet') return '';
  if (deepEqual(template, object.spec.template)) return `skipped rollback (current template already matches revision ${wanted})`;
  world.api.update<'Deployment' | 'StatefulSet'>(kind, namespace, name, (stored) => ({ ...stored, spec: { ...stored.spec, template } }) as Deployment | StatefulSet);
  return 'rolled back';
}

function withoutHash(template: PodTemplate): PodTemplate {
  if (template.metadata?.labels?.[HASH] === undefined) return template;
  const { [HASH]: _hash, ...labels } = template.metadata.labels;
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** @modelled k8s.io/kubectl pkg/polymorphichelpers/objectpauser.go, objectresumer.go, v0.35 */
function setPaused(world: World, object: AnyObject, paused: boolean): string {
  const subject = `${qualifiedPlural(resourceOfKind(object.kind))} ${JSON.stringify(object.metadata.name)}`;
  if (object.kind !== 'Deployment') throw new Refusal(`${subject} ${paused ? 'pausing' : 'resuming'} is not supported`);
  if ((object.spec.paused === true) === paused) throw new Refusal(`${subject} ${paused ? 'is already paused' : 'is not paused'}`);
  patch(world, object, { spec: { paused: paused ? true : null } });
  return paused ? 'paused' : 'resumed';
}

/** Whether an image changed. @modelled k8s.io/kubectl pkg/cmd/set/set_image.go, v0.35 */
function setImages(world: World, object: AnyObject, images: ReadonlyMap<string, string>): boolean {
  const spec = object.kind === 'Pod' ? (object as Pod).spec : object.kind === 'Deployment' || object.kind === 'ReplicaSet' || object.kind === 'StatefulSet' ? (object as Deployment | ReplicaSet | StatefulSet).spec.template.spec : undefined;
  if (spec === undefined) throw new Refusal(`the object is not a pod or does not have a pod template: *unstructured.Unstructured`);
  const names = [...(spec.initContainers ?? []), ...spec.containers].map(({ name }) => name);
  const missing = [...images.keys()].find((name) => name !== '*' && !names.includes(name));
  if (missing !== undefined) throw new Refusal(`unable to find container named ${JSON.stringify(missing)}`);
  const changed = (containers: readonly Container[] = []): Json[] => containers.flatMap(({ name }) => ((image) => (image === undefined ? [] : [{ name, image }]))(images.get(name) ?? images.get('*')));
  const change = { ...(spec.initContainers === undefined ? {} : { initContainers: changed(spec.initContainers) }), containers: changed(spec.containers) };
  return patch(world, object, { spec: object.kind === 'Pod' ? change : { template: { spec: change } } });
}

function patch(world: World, object: AnyObject, merge: Json): boolean {
  const { namespace, name } = object.metadata;
  const before = world.api.get(object.kind, namespace, name);
  return world.api.update(object.kind, namespace, name, (stored) => patched(stored, { type: 'strategic', merge })) !== before;
}
