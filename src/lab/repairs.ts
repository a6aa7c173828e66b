/**
 * What would repair a stuck run: each refusal, and each claim that silently waits for nothing, is traced to the objects
 * that cause it. A repair that something else stands in the way of is offered as one that is not enough. No scenario is
 * known by name.
 */
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass, Taint } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { MessageKey } from '../i18n/en.ts';
import { eventsAt, isAbout } from '../trace-view/events.ts';
import { mayGoTo, quantity, refusalsOf, taintText, untolerated, type Filter } from '../trace-view/plan.ts';
import { podVolumes, type PodVolume } from '../trace-view/pod-volumes.ts';
import type { ReasonCode } from '../trace-view/reasons.ts';
import { STATIONS, type StationName } from '../trace-view/station-names.ts';
import type { Line } from '../trace-view/stations.ts';
import { stepOfRecord } from '../trace-view/steps.ts';
import { find, ofKind, worldAt, type World } from '../trace-view/world.ts';
import type { Action } from './actions.ts';
import { contentRefs } from './content-refs.ts';
import { NO_PROVISIONER, OUT_OF_SERVICE, READER_TAINT } from './known-names.ts';
import type { Offer } from './offer.ts';
import { passesByItself } from './outlook.ts';

/** One thing in the way of a station. Each of its repairs is enough for it. */
interface Problem {
  readonly station: StationName;
  readonly what: string;
  readonly repairs: readonly Offer[];
}

interface Scene {
  readonly trace: Trace;
  readonly world: World;
  readonly line: Line;
  readonly index: number;
  /** The moment of the repair, milliseconds. */
  readonly at: number;
  /** The pod in view, while it exists. */
  readonly pod: Pod | undefined;
  /** Its volumes; before there is a pod, the claims of the namespace. */
  readonly claims: readonly { readonly name: string; readonly claim: PersistentVolumeClaim | undefined; readonly ephemeral: boolean }[];
}

/** The repairs at a moment (milliseconds of the run) of a run, for the pod whose line this is. */
export function repairs(trace: Trace, index: number, line: Line, at: number): Offer[] {
  const world = worldAt(trace, index);
  const pod = line.pod === undefined ? undefined : find(world, 'Pod', trace.scenario.namespace, line.pod)?.object;
  const scene: Scene = { trace, world, line, index, at, pod, claims: claimsOf(trace, world, pod) };
  const problems = merged([...claimProblems(scene), ...nodeProblems(scene), ...attachProblems(scene), ...contentProblems(scene), ...driverProblems(scene), ...podProblems(scene)], scene);
  const first = STATIONS.find((station) => problems.some((problem) => problem.station === station));
  const alone = problems.filter((problem) => problem.station === first).length === 1;
  const offers = problems.flatMap((problem) => (problem.station === first && alone ? problem.repairs : problem.repairs.map(notEnough)));
  return unique(offers);
}

/** Problems that have a repair and do not pass by themselves; one that shows at two stations counts at the first. */
function merged(problems: readonly Problem[], { trace, index, line }: Scene): Problem[] {
  const step = stepOfRecord(trace, index);
  const kept = new Map<string, Problem>();
  for (const problem of problems) {
    if (problem.repairs.length === 0 || passesByItself(trace, step, line.pod, problem.station)) continue;
    const known = kept.get(problem.what);
    kept.set(problem.what, known === undefined ? problem : { ...known, repairs: [...known.repairs, ...problem.repairs] });
  }
  return [...kept.values()];
}

function notEnough(offer: Offer): Offer {
  return { ...offer, notEnough: true };
}

function unique(offers: readonly Offer[]): Offer[] {
  const seen = new Set<string>();
  return offers.filter((offer) => {
    const key = JSON.stringify([offer.label, offer.params]);
    return !seen.has(key) && seen.add(key);
  });
}

function claimsOf(trace: Trace, world: World, pod: Pod | undefined): Scene['claims'] {
  if (pod !== undefined) {
    return podVolumes(world, pod).flatMap(({ name, claimName, claim }) =>
      claimName === undefined ? [] : [{ name: claimName, claim: claim?.object, ephemeral: pod.spec.volumes?.find((volume) => volume.name === name)?.ephemeral !== undefined }],
    );
  }
  return ofKind(world, 'PersistentVolumeClaim')
    .filter(({ object }) => object.metadata.namespace === trace.scenario.namespace)
    .map(({ object }) => ({ name: object.metadata.name, claim: object, ephemeral: false }));
}

function refusedFor(line: Line, station: StationName): ReasonCode | undefined {
  return line.stations[station].refusal?.reason.code;
}

// --- claims and their volumes ---

function claimProblems(scene: Scene): Problem[] {
  return scene.claims.map(({ name, claim, ephemeral }): Problem => {
    if (claim === undefined) return { station: 'claim', what: `claim ${name}`, repairs: ephemeral || scene.line.stations.claim.mark !== 'blocked' ? [] : claimAnew(scene, name) };
    return { station: 'volume', what: `claim ${name}`, repairs: volumeRepairs(scene, claim) };
  });
}

/** The claim that the pod refers to, of the class that the namespace's other claims are of, else of one that can serve the pod. */
function claimAnew(scene: Scene, name: string): Offer[] {
  const others = ofKind(scene.world, 'PersistentVolumeClaim').map(({ object }) => object).filter((other) => other.metadata.namespace === scene.trace.scenario.namespace && other.status.phase === 'Bound');
  const cls = others.map((other) => classNamed(scene.world, other.spec.storageClassName)).find((found) => found !== undefined && serves(scene, found)) ?? servingClass(scene, undefined);
  return cls === undefined ? [] : [repair({ do: 'createClaim', name, class: cls.metadata.name, at: scene.at }, 'createClaim', { name, class: cls.metadata.name })];
}

function volumeRepairs(scene: Scene, claim: PersistentVolumeClaim): Offer[] {
  if (claim.metadata.deletionTimestamp !== undefined) return scene.line.stations.node.mark === 'blocked' ? again(scene, claim, classNamed(scene.world, claim.spec.storageClassName)) : [];
  if (claim.status.phase === 'Bound') return [];
  const anew = (): Offer[] => again(scene, claim, usable(scene, claim));
  if (claim.status.phase === 'Lost') {
    const seen = claim.spec.volumeName === undefined ? undefined : scene.world.gone.get(`PersistentVolume//${claim.spec.volumeName}`);
    return [...(seen === undefined ? [] : [repair({ do: 'restoreVolume', claim: claim.metadata.name, at: scene.at }, 'restoreVolume')]), ...anew()];
  }
  if (claim.spec.volumeName !== undefined && claim.spec.volumeName !== '') return namedVolume(scene, claim, claim.spec.volumeName, anew);
  return heldUp(scene, claim) ? pendingRepairs(scene, claim, anew) : [];
}

/** Was the claim, or the pod that needs it, refused for want of its volume? */
function heldUp({ line, trace, index }: Scene, claim: PersistentVolumeClaim): boolean {
  return line.stations.volume.mark === 'blocked' || line.stations.node.mark === 'blocked' || askedInVain(trace, index, claim);
}

/** The claim asks for one volume by name. */
function namedVolume(scene: Scene, claim: PersistentVolumeClaim, name: string, anew: () => Offer[]): Offer[] {
  const pv = find(scene.world, 'PersistentVolume', undefined, name)?.object;
  if (pv === undefined) return makeVolume(scene, claim);
  const owner = pv.spec.claimRef?.uid;
  if (owner === undefined || owner === claim.metadata.uid) return [];
  return pv.status.phase === 'Released' ? handBack(scene, pv) : anew();
}

function pendingRepairs(scene: Scene, claim: PersistentVolumeClaim, anew: () => Offer[]): Offer[] {
  const { world, trace, index, line } = scene;
  const named = claim.spec.storageClassName ?? '';
  const cls = classNamed(world, named);
  if (cls === undefined || cls.provisioner === NO_PROVISIONER) {
    const volumes = ofKind(world, 'PersistentVolume').map(({ object }) => object).filter((pv) => fits(pv, claim));
    if (volumes.some((pv) => pv.status.phase === 'Available')) return [];
    const released = volumes.find((pv) => pv.status.phase === 'Released');
    const made = cls === undefined && named !== '' ? classAnew(scene, named, claim) : makeVolume(scene, claim);
    return [...(released === undefined ? [] : handBack(scene, released)), ...made];
  }
  if (askedInVain(trace, index, claim)) return anew();
  const chosen = claim.metadata.annotations?.['volume.kubernetes.io/selected-node'];
  if (chosen !== undefined && !runsOn(world, cls.provisioner, chosen)) {
    const elsewhere = scene.pod !== undefined && workable(scene).some((node) => runsOn(world, cls.provisioner, node.metadata.name));
    return [...(elsewhere ? [repair({ do: 'clearNode', claim: claim.metadata.name, at: scene.at }, 'clearNode', { node: chosen })] : []), ...anew()];
  }
  const refused = refusedFor(line, 'volume');
  if (refused === 'rpc' || refusedFor(line, 'node') === 'nothingToBind') return anew();
  return [];
}

/** The controller asked for the class's provisioner again and again, and none ever took the claim up. */
function askedInVain(trace: Trace, index: number, claim: PersistentVolumeClaim): boolean {
  const rows = eventsAt(trace, index).filter(({ event }) => isAbout(event, claim));
  return rows.some(({ event }) => event.reason === 'ExternalProvisioning' && (event.count ?? 1) > 1) && !rows.some(({ event }) => event.reason === 'Provisioning');
}

/** A PersistentVolume made by hand. A raw device is none that a directory of the node could stand for. */
function makeVolume(scene: Scene, claim: PersistentVolumeClaim): Offer[] {
  if (claim.spec.volumeMode === 'Block' || claim.spec.selector !== undefined) return [];
  const name = claim.spec.volumeName;
  return [repair({ do: 'createVolume', claim: claim.metadata.name, at: scene.at }, name === undefined || name === '' ? 'createVolume' : 'createVolumeNamed', name === undefined ? { claim: claim.metadata.name } : { name })];
}

/** A released volume is free for another claim once nobody's name stands on it. */
function handBack(scene: Scene, pv: PersistentVolume): Offer[] {
  const owner = pv.spec.claimRef;
  const made = pv.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] !== undefined;
  // The name of a provisioned volume is another one in every cluster; its claim's name is not.
  const target = made && owner?.namespace === scene.trace.scenario.namespace ? `pv-of/${owner?.name ?? ''}` : `pv/${pv.metadata.name}`;
  return [repair({ do: 'clearClaimRef', target, at: scene.at }, 'clearClaimRef', { name: made ? (owner?.name ?? '') : pv.metadata.name })];
}

function classAnew(scene: Scene, name: string, claim: PersistentVolumeClaim): Offer[] {
  if (claim.spec.volumeMode === 'Block') return [];
  return [repair({ do: 'createClass', name, at: scene.at }, 'createClass', { name })];
}

/** The claim deleted and made again with a class, and the pods that use it with it: only where a person made those pods. */
function again(scene: Scene, claim: PersistentVolumeClaim, cls: StorageClass | undefined): Offer[] {
  const { world, at } = scene;
  const owned = (claim.metadata.ownerReferences ?? []).length > 0 || usersOf(world, claim).some(isOwned);
  if (cls === undefined || owned) return [];
  return [repair({ do: 'remake', claim: claim.metadata.name, class: cls.metadata.name, at }, 'recreateWaiting', { class: cls.metadata.name })];
}

/** The claim's own class where it can serve, else the best other one. */
function usable(scene: Scene, claim: PersistentVolumeClaim): StorageClass | undefined {
  const own = classNamed(scene.world, claim.spec.storageClassName);
  if (own !== undefined && claim.status.phase === 'Lost' && serves(scene, own)) return own;
  return claim.spec.volumeMode === 'Block' ? undefined : servingClass(scene, own);
}

/**
 * A class whose driver runs where the pod may go and which is not made to fail: of the same driver if there is one, and one
 * that waits for the pod if there is one.
 */
function servingClass(scene: Scene, own: StorageClass | undefined): StorageClass | undefined {
  const rank = (cls: StorageClass): number => (cls.provisioner === own?.provisioner ? 0 : 2) + ((cls.volumeBindingMode === 'WaitForFirstConsumer') === (scene.pod !== undefined) ? 0 : 1);
  return ofKind(scene.world, 'StorageClass')
    .map(({ object }) => object)
    .filter((cls) => cls.metadata.name !== own?.metadata.name && serves(scene, cls))
    .sort((a, b) => rank(a) - rank(b))[0];
}

function serves(scene: Scene, cls: StorageClass): boolean {
  if (cls.allowedTopologies !== undefined || Object.keys(cls.parameters ?? {}).some((key) => key.startsWith('fail.'))) return false;
  const nodes = workable(scene);
  const runs = (node: Node): boolean => runsOn(scene.world, cls.provisioner, node.metadata.name);
  // A class that waits takes whichever node the scheduler chooses, and the scheduler does not ask where its driver runs.
  return cls.volumeBindingMode === 'WaitForFirstConsumer' && scene.pod !== undefined ? nodes.length > 0 && nodes.every(runs) : nodes.some(runs);
}

/** Nodes where the pod may go and no taint keeps it from; without a pod, all. */
function workable({ world, pod }: Scene): Node[] {
  const nodes = ofKind(world, 'Node').map(({ object }) => object);
  return pod === undefined ? nodes : nodes.filter((node) => mayGoTo(pod, node) && untolerated(pod, node).length === 0 && (pod.spec.nodeName ?? node.metadata.name) === node.metadata.name);
}

function runsOn(world: World, driver: string, node: string): boolean {
  return find(world, 'CSINode', undefined, node)?.object.spec.drivers?.some((entry) => entry.name === driver) === true;
}

function classNamed(world: World, name: string | undefined): StorageClass | undefined {
  return name === undefined || name === '' ? undefined : find(world, 'StorageClass', undefined, name)?.object;
}

/** Could the volume be bound to the claim, if it were free? */
function fits(pv: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (
    (pv.spec.storageClassName ?? '') === (claim.spec.storageClassName ?? '') &&
    (pv.spec.volumeMode ?? 'Filesystem') === (claim.spec.volumeMode ?? 'Filesystem') &&
    (claim.spec.accessModes ?? []).every((mode) => pv.spec.accessModes.includes(mode)) &&
    quantity(pv.spec.capacity.storage) >= quantity(claim.spec.resources?.requests?.storage)
  );
}

// --- the node ---

function nodeProblems(scene: Scene): Problem[] {
  const { line, pod, world } = scene;
  const code = refusedFor(line, 'node');
  if (pod === undefined || line.stations.node.mark !== 'blocked' || code === 'unboundClaims' || code === 'claimMissing') return [];
  const nodes = ofKind(world, 'Node').map(({ object }) => ({ node: object, refusals: withoutEcho(object, untolerated(pod, object), refusalsOf(world, pod, object)) }));
  const one = nodes.flatMap(({ node, refusals }) => (refusals.length === 1 ? letIn(scene, pod, node, refusals[0] as Filter) : []));
  const anywhere = isOwned(pod) ? [] : elsewhere(scene, pod, nodes.flatMap(({ refusals }) => refusals));
  const moved = code === 'zoneConflict' || code === 'nodeConflict' ? recreateWaiting(scene, pod) : [];
  if (one.length + anywhere.length + moved.length > 0) return [{ ...unserved(scene), repairs: [...one, ...moved, ...anywhere] }];
  const two = nodes.filter(({ refusals }) => refusals.length === 2).map(({ node, refusals }) => refusals.map((filter) => letIn(scene, pod, node, filter)));
  const both = two.find((lists) => lists.every((list) => list.length > 0)) ?? [];
  return both.map((list, i): Problem => ({ station: 'node', what: `node ${i}`, repairs: list }));
}

/** A cordoned node has a taint too, which the cluster sets and takes away with it. */
function withoutEcho(node: Node, taints: readonly Taint[], refusals: readonly Filter[]): Filter[] {
  const echo = node.spec.unschedulable === true && taints.every((taint) => taint.key === 'node.kubernetes.io/unschedulable');
  return refusals.filter((filter) => filter !== 'TaintToleration' || !echo);
}

/** Where a claim cannot get its volume on any node, the claim may change or the pod: it is one problem. */
function unserved({ line, claims }: Scene): Pick<Problem, 'station' | 'what'> {
  const claim = refusedFor(line, 'node') === 'nothingToBind' ? claims.find((entry) => entry.claim?.status.phase === 'Pending') : undefined;
  return claim === undefined ? { station: 'node', what: 'node' } : { station: 'volume', what: `claim ${claim.name}` };
}

/** What would take one filter's refusal of a node away. */
function letIn(scene: Scene, pod: Pod, node: Node, filter: Filter): Offer[] {
  const { at } = scene;
  const name = node.metadata.name;
  switch (filter) {
    case 'NodeUnschedulable':
      return [repair({ do: 'uncordon', node: name, at }, 'uncordon', { node: name })];
    case 'TaintToleration': {
      const [taint, ...more] = untolerated(pod, node);
      return taint === undefined || more.length > 0 || !isRemovable(taint, node) ? [] : [repair({ do: 'untaint', node: name, taint: taintText(taint), at }, 'removeTaint', { taint: taintText(taint), node: name })];
    }
    case 'VolumeRestrictions':
      return freed(scene, holders(scene));
    case 'NodeVolumeLimits':
      return freed(scene, volumeUsersOn(scene, name).slice(0, 1));
    default:
      return [];
  }
}

/** A taint that the cluster itself keeps comes back or means what it says; the reader's own has its own button. */
function isRemovable(taint: Taint, node: Node): boolean {
  if (taint.key === READER_TAINT || taint.key.startsWith('node-role.kubernetes.io/')) return false;
  if (taint.key === OUT_OF_SERVICE) return isReady(node);
  return !taint.key.startsWith('node.kubernetes.io/');
}

/** Pods of the namespace on a node that use a claim. */
function volumeUsersOn({ trace, world }: Scene, node: string): string[] {
  return ofKind(world, 'Pod')
    .map(({ object }) => object)
    .filter((pod) => pod.spec.nodeName === node && pod.metadata.namespace === trace.scenario.namespace && podVolumes(world, pod).some((volume) => volume.kind === 'claim'))
    .map((pod) => pod.metadata.name);
}

/** The pod made again without what it asks of a node, where a node then takes it. */
function elsewhere(scene: Scene, pod: Pod, refusals: readonly Filter[]): Offer[] {
  const { world, at, claims } = scene;
  const drivers = claims.flatMap(({ claim }) => (claim?.status.phase === 'Pending' ? (classNamed(world, claim.spec.storageClassName)?.provisioner ?? []) : []));
  const takes = (asked: Pod): boolean => ofKind(world, 'Node').some(({ object }) => refusalsOf(world, asked, object).length === 0 && drivers.every((driver) => runsOn(world, driver, object.metadata.name)));
  const free: Pod = { ...pod, spec: { ...pod.spec, nodeSelector: undefined, affinity: undefined } };
  const small: Pod = { ...pod, spec: { ...pod.spec, containers: pod.spec.containers.map((container) => ({ ...container, resources: undefined })) } };
  const chooses = pod.spec.nodeSelector !== undefined || pod.spec.affinity?.nodeAffinity !== undefined;
  const name = pod.metadata.name;
  return [
    ...(chooses && takes(free) ? [repair({ do: 'remakePod', pod: name, how: 'anyNode', at }, 'remakeAnyNode', { name })] : []),
    ...(refusals.includes('NodeResourcesFit') && takes(small) ? [repair({ do: 'remakePod', pod: name, how: 'smaller', at }, 'remakeSmaller', { name })] : []),
  ];
}

function recreateWaiting(scene: Scene, pod: Pod): Offer[] {
  const { world, at } = scene;
  const volume = podVolumes(world, pod).find((entry) => entry.claim !== undefined);
  const own = classNamed(world, volume?.claim?.object.spec.storageClassName);
  const waiting = ofKind(world, 'StorageClass').map(({ object }) => object).find((entry) => entry.provisioner === own?.provisioner && entry.volumeBindingMode === 'WaitForFirstConsumer');
  if (volume?.claimName === undefined || waiting === undefined || waiting === own || isOwned(pod) || !serves(scene, waiting)) return [];
  return [repair({ do: 'recreate', pod: pod.metadata.name, claim: volume.claimName, class: waiting.metadata.name, at }, 'recreateWaiting', { class: waiting.metadata.name })];
}

function isOwned(pod: Pod): boolean {
  return (pod.metadata.ownerReferences ?? []).length > 0;
}

/** Other pods that use a claim of the pod in view. */
function holders({ trace, world, pod, claims }: Scene): string[] {
  return [...new Set(claims.flatMap(({ claim }) => (claim === undefined ? [] : usersOf(world, claim))))]
    .filter((other) => other.metadata.name !== pod?.metadata.name && other.metadata.namespace === trace.scenario.namespace)
    .map((other) => other.metadata.name);
}

function usersOf(world: World, claim: PersistentVolumeClaim): Pod[] {
  return ofKind(world, 'Pod')
    .map(({ object }) => object)
    .filter((pod) => pod.metadata.namespace === claim.metadata.namespace && podVolumes(world, pod).some((volume) => volume.claimName === claim.metadata.name));
}

// --- attachment ---

function attachProblems(scene: Scene): Problem[] {
  const { line, world, pod } = scene;
  const refusal = line.stations.attached.refusal;
  const code = refusal?.reason.code;
  if (pod === undefined || (code !== 'multiAttachPod' && code !== 'multiAttach')) return [];
  const named = (refusal?.reason.params['pods'] ?? '').split(', ').filter((name) => name !== '');
  return [{ station: 'attached', what: 'attached elsewhere', repairs: [...freed(scene, named), ...rolledOver(scene, named), ...podVolumes(world, pod).flatMap((volume) => silentHolder(scene, volume))] }];
}

/** A rolling update waits for a new pod that waits for the old one's volume; with the strategy Recreate the old one goes first. */
function rolledOver({ trace, world, pod, at }: Scene, pods: readonly string[]): Offer[] {
  const own = pod === undefined ? undefined : deploymentOf(world, pod);
  const old = pods.map((name) => find(world, 'Pod', trace.scenario.namespace, name)?.object);
  if (own === undefined || !old.some((other) => other !== undefined && deploymentOf(world, other) === own)) return [];
  return [repair({ do: 'strategy', deployment: own, at }, 'recreateStrategy', { name: own })];
}

function deploymentOf(world: World, pod: Pod): string | undefined {
  const set = pod.metadata.ownerReferences?.find((owner) => owner.kind === 'ReplicaSet');
  return set === undefined ? undefined : find(world, 'ReplicaSet', pod.metadata.namespace, set.name)?.object.metadata.ownerReferences?.find((owner) => owner.kind === 'Deployment')?.name;
}

/** The volume is still attached to a node that no longer answers: nobody there unmounts it. */
function silentHolder({ world, pod, at }: Scene, volume: PodVolume): Offer[] {
  return ofKind(world, 'VolumeAttachment').flatMap(({ object }) => {
    if (volume.pv === undefined || object.spec.source.persistentVolumeName !== volume.pv.object.metadata.name || object.spec.nodeName === pod?.spec.nodeName) return [];
    return outOfService(find(world, 'Node', undefined, object.spec.nodeName)?.object, at);
  });
}

/**
 * What frees a volume that these pods hold: to delete each that nobody has deleted yet and no controller would make anew.
 * On a silent node no kubelet ends a deleted pod; there the out-of-service taint lets the controllers do without it.
 */
function freed({ trace, world, at }: Scene, pods: readonly string[]): Offer[] {
  return pods.flatMap((name): Offer[] => {
    const pod = find(world, 'Pod', trace.scenario.namespace, name)?.object;
    const node = pod?.spec.nodeName === undefined ? undefined : find(world, 'Node', undefined, pod.spec.nodeName)?.object;
    if (node !== undefined && !isReady(node)) return outOfService(node, at);
    return pod === undefined || pod.metadata.deletionTimestamp !== undefined || isOwned(pod) ? [] : [repair({ do: 'delete', target: `pod/${name}`, at }, 'deletePod', { name })];
  });
}

function outOfService(node: Node | undefined, at: number): Offer[] {
  if (node === undefined || isReady(node) || node.spec.taints?.some((taint) => taint.key === OUT_OF_SERVICE) === true) return [];
  return [repair({ do: 'outOfService', node: node.metadata.name, at }, 'outOfService', { node: node.metadata.name })];
}

function isReady(node: Node): boolean {
  return (node.status.conditions?.find((condition) => condition.type === 'Ready')?.status ?? 'True') === 'True';
}

// --- Secrets and ConfigMaps ---

const CONTENT: ReadonlySet<ReasonCode | undefined> = new Set<ReasonCode>(['secretMissing', 'configMapMissing', 'keyMissing']);

/** Everything that the pod refers to and that is not there, not only what the component named first. */
function contentProblems(scene: Scene): Problem[] {
  const { line, world, pod, at } = scene;
  const station = (['published', 'process'] as const).find((name) => CONTENT.has(refusedFor(line, name)));
  if (pod === undefined || station === undefined) return [];
  return contentRefs(pod.spec).flatMap(({ kind, name, keys }): Problem[] => {
    const held = find(world, kind, pod.metadata.namespace, name)?.object;
    if (held === undefined) return [{ station, what: `${kind} ${name}`, repairs: [contentAnew(scene, kind, name)] }];
    return keys
      .filter((key) => held.data === undefined || !Object.hasOwn(held.data, key))
      .map((key) => ({ station, what: `${kind} ${name} ${key}`, repairs: [repair({ do: 'addKey', kind, name, key, at }, 'addKey', { key, name, kind })] }));
  });
}

/** Where several are gone each button says which it makes. */
function contentAnew({ pod, world, at }: Scene, kind: 'Secret' | 'ConfigMap', name: string): Offer {
  const gone = contentRefs((pod as Pod).spec).filter((ref) => ref.kind === kind && find(world, kind, pod?.metadata.namespace, ref.name) === undefined);
  const one = new Set(gone.map((ref) => ref.name)).size === 1;
  return repair({ do: 'create', kind, name, at }, one ? `create${kind}` : `create${kind}Named`, one ? {} : { name });
}

// --- the driver, and the pod itself ---

/** A driver that goes on refusing a volume of this class: one of another class. */
function driverProblems(scene: Scene): Problem[] {
  return (['attached', 'staged', 'published'] as const).flatMap((station): Problem[] => {
    if (refusedFor(scene.line, station) !== 'rpc') return [];
    const claim = scene.claims.map((entry) => entry.claim).find((entry) => Object.keys(classNamed(scene.world, entry?.spec.storageClassName)?.parameters ?? {}).some((key) => key.startsWith('fail.')));
    return claim === undefined ? [] : [{ station, what: 'driver', repairs: again(scene, claim, usable(scene, claim)) }];
  });
}

/** What only another pod manifest can mend. */
function podProblems(scene: Scene): Problem[] {
  const { pod, line, at } = scene;
  if (pod === undefined || isOwned(pod)) return [];
  const name = pod.metadata.name;
  const made = (station: StationName, how: Extract<Action, { do: 'remakePod' }>['how'], label: MessageKey): Problem => ({ station, what: how, repairs: [repair({ do: 'remakePod', pod: name, how, at }, label, { name })] });
  const mounts = pod.spec.containers.flatMap((container) => container.volumeMounts ?? []);
  const readOnly = mounts.some((mount) => mount.readOnly === true) || (pod.spec.volumes ?? []).some((volume) => volume.persistentVolumeClaim?.readOnly === true);
  return [
    ...(refusedFor(line, 'published') === 'volumeMode' ? [line.stations.published.refusal?.reason.params['mode'] === 'Block' ? made('published', 'asDevice', 'remakeAsDevice') : made('published', 'asMount', 'remakeAsMount')] : []),
    ...(refusedFor(line, 'bytes') === 'readOnly' && readOnly ? [made('bytes', 'writable', 'remakeWritable')] : []),
    ...(refusedFor(line, 'bytes') === 'permission' && pod.spec.securityContext?.fsGroup === undefined ? [made('bytes', 'fsGroup', 'remakeFsGroup')] : []),
  ];
}

function repair(action: Action, label: MessageKey, params: Readonly<Record<string, string>> = {}): Offer {
  return { kind: 'repair', action, pressed: false, label, params };
}
