/**
 * The nine stations at a moment of a run, each lit by evidence in the trace and by nothing else. A record taken out of a
 * trace takes its station's light with it; a station that was not tried is `not-run`, whatever the ones after it say.
 */
import type { AnyObject, Pod } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { deviceLooks, mountRows, touches, type Touch } from './bytes.ts';
import { eventsAt, fromOf, isAbout, type EventRow } from './events.ts';
import { shortName, titleOf } from './names.ts';
import { mayGoTo, termFits } from './plan.ts';
import { podVolumes, type PodVolume, type VolumeKind } from './pod-volumes.ts';
import { reasonOf, shortSays, type Reason } from './reasons.ts';
import { silenceOf, type Silence } from './silence.ts';
import { STATIONS, type StationName } from './station-names.ts';
import { witnesses, type Deed, type Witness } from './witness.ts';
import { find, heldSince, ofKind, worldAt, type Held, type World } from './world.ts';

/** `ended`: it was lit for this pod, and the pod is gone or going; it was tried, unlike `not-run`. */
export type Mark = 'proven' | 'partly' | 'here' | 'blocked' | 'not-run' | 'passed-through' | 'ended';

/** One thing that lights a station, or would. */
export interface Evidence {
  readonly held: boolean;
  /** `PVC disk`, `CSI disk.csi…`, `kubelet log`; for `again` a key of the messages: `again_pod`. */
  readonly what: string;
  /** The field and its value, or the words that count. */
  readonly field: string;
  /** The record that says so; undefined for what stood before the first step or is not there. */
  readonly index: number | undefined;
  readonly t: number | undefined;
  /** What to know of it: a key of the messages. */
  readonly note?: 'noMountRow';
}

/** A component's refusal. */
export interface Refusal {
  readonly by: string;
  readonly node: string | undefined;
  /** The component's own words. */
  readonly says: string;
  readonly short: string;
  readonly reason: Reason;
  readonly index: number;
  readonly t: number;
}

export interface Station {
  readonly name: StationName;
  readonly mark: Mark;
  readonly evidence: readonly Evidence[];
  /** When the last piece of evidence came, or the refusal. */
  readonly t: number | undefined;
  /** The few words under the station's name. */
  readonly detail: string;
  readonly refusal: Refusal | undefined;
}

/** One volume of the pod on its own track, between `node` and the end of `published`. */
export interface Track {
  readonly volume: string;
  readonly kind: VolumeKind;
  readonly attached: Mark;
  readonly staged: Mark;
  readonly published: Mark;
  readonly refusal: Refusal | undefined;
  /** When the volume's work began or ended, seconds. */
  readonly since: number | undefined;
  /** How long the kubelet waits before it tries again, as its log says: `500ms`. */
  readonly retryAfter: string | undefined;
}

export interface Line {
  readonly pod: string | undefined;
  readonly node: string | undefined;
  /** The pod's node no longer answers: what the kubelet said of it was so when it was last heard. */
  readonly silent: Silence | undefined;
  readonly stations: Readonly<Record<StationName, Station>>;
  readonly tracks: readonly Track[];
}

/** What the stations are read from: a moment of a trace, and the pod (or its claims) in view. */
interface Scene {
  readonly trace: Trace;
  readonly index: number;
  readonly world: World;
  readonly pod: Held<Pod> | undefined;
  /** The pod as last seen, also after its object is gone. */
  readonly seen: Pod | undefined;
  readonly volumes: readonly PodVolume[];
  readonly events: readonly EventRow[];
  readonly witnesses: readonly Witness[];
  /** The record that created the pod in view: what was said of an earlier pod of its name is not about it. */
  readonly podSince: number;
}

/** Pods of the scenario's namespace that exist at a moment or existed before, in the order in which they came. */
export function podsAt(trace: Trace, index: number): string[] {
  const names: string[] = [];
  for (let i = 0; i <= index && i < trace.records.length; i++) {
    const record = trace.records[i];
    if (record?.type !== 'watch' || record.object.kind !== 'Pod' || record.object.metadata.namespace !== trace.scenario.namespace) continue;
    if (record.verb === 'ADDED' && !names.includes(record.object.metadata.name)) names.push(record.object.metadata.name);
  }
  return names;
}

/** The pod in view where the reader chose none: the one that was created last. */
export function defaultPod(trace: Trace, index: number): string | undefined {
  let last: string | undefined;
  for (let i = 0; i <= index && i < trace.records.length; i++) {
    const record = trace.records[i];
    if (record?.type !== 'watch' || record.object.kind !== 'Pod' || record.verb !== 'ADDED') continue;
    if (record.object.metadata.namespace === trace.scenario.namespace) last = record.object.metadata.name;
  }
  return last;
}

/**
 * The line after record `index`, for a pod of the scenario's namespace (default: {@link defaultPod}). Before there is a
 * pod, the claims of the namespace stand for the volumes it will have.
 */
export function lineAt(trace: Trace, index: number, podName: string | undefined = defaultPod(trace, index)): Line {
  const scene = sceneAt(trace, index, podName);
  const line = lineOf(scene);
  const pod = scene.seen;
  if (pod === undefined || (scene.pod !== undefined && pod.metadata.deletionTimestamp === undefined)) return line;
  const was = litBefore(scene, pod);
  const over = (name: string, mark: Mark): Mark => (mark === 'not-run' && was.has(name) ? 'ended' : mark);
  return {
    ...line,
    stations: Object.fromEntries(STATIONS.map((name) => [name, { ...line.stations[name], mark: over(name, line.stations[name].mark) }])) as Record<StationName, Station>,
    tracks: line.tracks.map((track) => ({
      ...track,
      attached: over(`attached ${track.volume}`, track.attached),
      staged: over(`staged ${track.volume}`, track.staged),
      published: over(`published ${track.volume}`, track.published),
    })),
  };
}

const litCache = new WeakMap<Trace, Map<string, ReadonlySet<string>>>();

/** Stations, and stations of single volumes, that were lit at one of the pod's own writes up to this moment. */
function litBefore(scene: Scene, pod: Pod): ReadonlySet<string> {
  const { trace } = scene;
  const writes = trace.records.flatMap((record, i) => (i <= scene.index && record.type === 'watch' && record.verb !== 'DELETED' && record.object.metadata.uid === pod.metadata.uid ? [i] : []));
  const key = `${pod.metadata.uid} ${writes.at(-1) ?? ''}`;
  let byPod = litCache.get(trace);
  if (byPod === undefined) litCache.set(trace, (byPod = new Map()));
  let found = byPod.get(key);
  if (found === undefined) {
    const isLit = (mark: Mark): boolean => mark === 'proven' || mark === 'partly';
    found = new Set(
      writes.flatMap((i) => {
        const line = lineOf(sceneAt(trace, i, pod.metadata.name));
        const tracks = line.tracks.flatMap((track) => (['attached', 'staged', 'published'] as const).filter((name) => isLit(track[name])).map((name) => `${name} ${track.volume}`));
        return [...STATIONS.filter((name) => isLit(line.stations[name].mark)), ...tracks];
      }),
    );
    byPod.set(key, found);
  }
  return found;
}

function lineOf(scene: Scene): Line {
  const list = [
    claimStation(scene),
    volumeStation(scene),
    nodeStation(scene),
    attachedStation(scene),
    stagedStation(scene),
    publishedStation(scene),
    processStation(scene),
    bytesStation(scene),
    againStation(scene),
  ];
  const stations = Object.fromEntries(list.map((station) => [station.name, station])) as Record<StationName, Station>;
  return {
    pod: scene.seen?.metadata.name,
    node: scene.seen?.spec.nodeName,
    silent: scene.pod?.object.spec.nodeName === undefined ? undefined : silenceOf(scene.trace, scene.index, scene.world, scene.pod.object.spec.nodeName),
    stations,
    tracks: scene.seen?.spec.nodeName === undefined ? [] : scene.volumes.map((volume) => trackOf(scene, volume)),
  };
}

function sceneAt(trace: Trace, index: number, podName: string | undefined): Scene {
  const world = worldAt(trace, index);
  const namespace = trace.scenario.namespace;
  const pod = podName === undefined ? undefined : find(world, 'Pod', namespace, podName);
  const gone = podName === undefined ? undefined : (world.gone.get(`Pod/${namespace}/${podName}`) as Held<Pod> | undefined);
  const seen = (pod ?? gone)?.object;
  return {
    trace,
    index,
    world,
    pod,
    seen,
    volumes: seen === undefined ? claimsAlone(world, namespace) : podVolumes(world, seen),
    events: eventsAt(trace, index),
    witnesses: witnesses(trace).filter((witness) => witness.index <= index),
    podSince: seen === undefined ? 0 : createdAt(trace, seen),
  };
}

function createdAt(trace: Trace, pod: Pod): number {
  return trace.records.findIndex((record) => record.type === 'watch' && record.verb === 'ADDED' && record.object.kind === 'Pod' && record.object.metadata.uid === pod.metadata.uid);
}

/** Before there is a pod: each claim of the namespace as the volume it is to become. */
function claimsAlone(world: World, namespace: string): PodVolume[] {
  return ofKind(world, 'PersistentVolumeClaim')
    .filter(({ object }) => object.metadata.namespace === namespace)
    .map((claim) => {
      const pv = claim.object.spec.volumeName === undefined ? undefined : find(world, 'PersistentVolume', undefined, claim.object.spec.volumeName);
      const name = claim.object.metadata.name;
      return { name, kind: 'claim', claimName: name, claim, pv, names: [name], attach: 'unknown', attachment: undefined, staged: true };
    });
}

// --- claim ---

function claimStation(scene: Scene): Station {
  const evidence = claimVolumes(scene).map((volume): Evidence => {
    const held = volume.claim;
    if (held === undefined) return missing(`PVC ${volume.claimName ?? ''}`, 'metadata.name');
    const spec = held.object.spec;
    return found(scene, held, `${spec.storageClassName === undefined ? '' : `class ${spec.storageClassName === '' ? '""' : spec.storageClassName}, `}${(spec.accessModes ?? []).join(', ')}`, () => true);
  });
  const first = claimVolumes(scene).find((volume) => volume.claim !== undefined);
  const refusal = evidence.some((item) => !item.held) ? podRefusal(scene, /persistentvolumeclaim "[^"]+" not found/) : undefined;
  return station('claim', evidence, { detail: first?.claimName ?? '', refusal });
}

function claimVolumes(scene: Scene): PodVolume[] {
  return scene.volumes.filter((volume) => volume.kind === 'claim');
}

// --- volume ---

function volumeStation(scene: Scene): Station {
  const volumes = claimVolumes(scene).filter((volume) => volume.claim !== undefined);
  const evidence = volumes.flatMap(({ claim, pv }): Evidence[] => {
    if (claim === undefined) return [];
    const name = claim.object.spec.volumeName;
    const linked = pv !== undefined && pv.object.spec.claimRef?.uid === claim.object.metadata.uid;
    return [
      name === undefined ? missing(titleOf(claim.object), 'spec.volumeName') : found(scene, claim, `spec.volumeName: ${shortName(name)}`, (object) => object.spec.volumeName === name),
      linked ? found(scene, pv, 'spec.claimRef.uid = PVC metadata.uid', (object) => object.spec.claimRef?.uid === claim.object.metadata.uid) : missing(pv === undefined ? 'PV' : titleOf(pv.object), 'spec.claimRef.uid'),
      { ...found(scene, claim, `status.phase: ${claim.object.status.phase}`, (object) => object.status.phase === claim.object.status.phase), held: claim.object.status.phase === 'Bound' },
    ];
  });
  const refusal = volumes.map((volume) => claimRefusal(scene, volume)).find((item) => item !== undefined);
  const first = volumes[0];
  const name = first?.pv?.object.metadata.name;
  return station('volume', evidence, {
    detail: name === undefined ? '' : shortName(name),
    refusal,
    here: volumes.some((volume) => beingProvisioned(volume)),
  });
}

/** The claim's last word on why it has no volume: a failure to provision, nothing that fits, a volume that was lost. */
function claimRefusal(scene: Scene, volume: PodVolume): Refusal | undefined {
  const claim = volume.claim?.object;
  if (claim === undefined || claim.status.phase === 'Bound') return undefined;
  const row = lastRow(scene, (event) => isAbout(event.event, claim) && CLAIM_REFUSALS.has(event.event.reason));
  return row === undefined ? undefined : refusalOf(row);
}
const CLAIM_REFUSALS: ReadonlySet<string> = new Set(['ProvisioningFailed', 'FailedBinding', 'ClaimLost', 'ClaimMisbound', 'VolumeMismatch']);

function beingProvisioned(volume: PodVolume): boolean {
  const claim = volume.claim?.object;
  if (claim === undefined || claim.status.phase === 'Bound') return false;
  return claim.metadata.annotations?.['volume.kubernetes.io/storage-provisioner'] !== undefined || claim.spec.volumeName !== undefined || volume.pv !== undefined;
}

// --- node ---

function nodeStation(scene: Scene): Station {
  const pod = scene.pod;
  if (pod === undefined) return station('node', [], {});
  const node = pod.object.spec.nodeName;
  const evidence = [
    isScheduled(pod.object) ? found(scene, pod, 'PodScheduled: True', isScheduled) : missing(titleOf(pod.object), 'PodScheduled'),
    node === undefined ? missing(titleOf(pod.object), 'spec.nodeName') : found(scene, pod, `spec.nodeName: ${node}`, (object) => object.spec.nodeName === node),
  ];
  const refusal = node === undefined ? placed(scene, podRefusal(scene, /./, 'FailedScheduling')) : undefined;
  return station('node', evidence, { detail: node ?? '', refusal, here: node === undefined });
}

/**
 * The scheduler names every filter that refused some node. That the volume is elsewhere is the reason only where the pod
 * itself, by its selector or node affinity, may go to none of the volume's nodes; and "elsewhere" is a zone or a node, as
 * the volume's own affinity says.
 */
function placed(scene: Scene, refusal: Refusal | undefined): Refusal | undefined {
  const pod = scene.pod?.object;
  if (refusal?.reason.code !== 'zoneConflict' || pod === undefined) return refusal;
  const nodes = ofKind(scene.world, 'Node').map(({ object }) => object);
  const terms = scene.volumes
    .map((volume) => volume.pv?.object.spec.nodeAffinity?.required?.nodeSelectorTerms)
    .find((list) => list !== undefined && !nodes.some((node) => list.some((term) => termFits(term, node)) && mayGoTo(pod, node)));
  if (terms === undefined) return { ...refusal, reason: { code: 'noNode', params: {} } };
  const byZone = terms.every((term) => (term.matchExpressions ?? []).every((rule) => rule.key.endsWith('zone')));
  return byZone ? refusal : { ...refusal, reason: { code: 'nodeConflict', params: {} } };
}

function isScheduled(pod: Pod): boolean {
  return pod.status.conditions?.some((condition) => condition.type === 'PodScheduled' && condition.status === 'True') ?? false;
}

/** The newest event about the pod whose message matches, by reason where one is asked for. */
function podRefusal(scene: Scene, message: RegExp, reason?: string): Refusal | undefined {
  const pod = scene.pod?.object;
  if (pod === undefined) return undefined;
  const row = lastRow(scene, ({ event }) => event.type === 'Warning' && isAbout(event, pod) && (reason === undefined || event.reason === reason) && message.test(event.message));
  return row === undefined ? undefined : refusalOf(row);
}

// --- attached ---

function attachedStation(scene: Scene): Station {
  const volumes = claimVolumes(scene);
  if (scene.seen?.spec.nodeName === undefined) return station('attached', [], {});
  const needing = volumes.filter((volume) => volume.attach === 'needed');
  if (needing.length === 0) return station('attached', [], { passed: volumes.every((volume) => volume.attach === 'none') });
  const evidence = needing.flatMap((volume) => attachEvidence(scene, volume));
  const refusal = needing.map((volume) => attachRefusal(scene, volume)).find((item) => item !== undefined);
  const shown = evidence.find((item) => item.held);
  return station('attached', evidence, {
    detail: shown?.field.replace('status.', '') ?? '',
    refusal,
    here: needing.some((volume) => volume.attachment !== undefined),
  });
}

function attachEvidence(scene: Scene, volume: PodVolume): Evidence[] {
  const attachment = volume.attachment;
  const node = scene.seen?.spec.nodeName ?? '';
  const held = find(scene.world, 'Node', undefined, node);
  const unique = uniqueName(volume);
  const listed = held?.object.status.volumesAttached?.some((entry) => entry.name === unique) ?? false;
  return [
    attachment === undefined
      ? missing('VolumeAttachment', 'status.attached')
      : { ...found(scene, attachment, `status.attached: ${attachment.object.status.attached}`, (object) => object.status.attached === attachment.object.status.attached), held: attachment.object.status.attached },
    listed && held !== undefined ? found(scene, held, 'status.volumesAttached', (object) => object.status.volumesAttached?.some((entry) => entry.name === unique) ?? false) : missing(`Node ${node}`, 'status.volumesAttached'),
  ];
}

function uniqueName(volume: PodVolume): string {
  const csi = volume.pv?.object.spec.csi;
  return csi === undefined ? '' : `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}`;
}

function attachRefusal(scene: Scene, volume: PodVolume): Refusal | undefined {
  const attachment = volume.attachment;
  if (attachment?.object.status.attached === true) return undefined;
  const name = volume.pv?.object.metadata.name ?? '';
  const said = podRefusal(scene, new RegExp(escaped(name)), 'FailedAttachVolume');
  if (said !== undefined) return said;
  const error = attachment?.object.status.attachError;
  if (error === undefined || attachment === undefined) return undefined;
  return {
    by: attachment.object.spec.attacher,
    node: attachment.object.spec.nodeName,
    says: error.message,
    short: shortSays(error.message),
    reason: reasonOf(error.message),
    index: attachment.index,
    t: attachment.t ?? 0,
  };
}

// --- staged ---

function stagedStation(scene: Scene): Station {
  if (scene.seen?.spec.nodeName === undefined) return station('staged', [], {});
  const volumes = claimVolumes(scene).filter((volume) => volume.staged);
  if (volumes.length === 0) return station('staged', [], { passed: true });
  const states = volumes.map((volume) => deviceState(scene, volume));
  const evidence = states.flatMap((state, i) => state.evidence ?? [missing(volumes[i]?.name ?? '', 'NodeStageVolume')]);
  const refusal = states.find((state) => state.refusal !== undefined)?.refusal;
  return station('staged', evidence, { detail: evidence.find((item) => item.held)?.field ?? '', refusal, here: states.some((state, i) => state.here && publishState(scene, volumes[i] as PodVolume).mark !== 'proven') });
}

interface WorkState {
  readonly mark: Mark;
  readonly evidence: readonly Evidence[] | undefined;
  readonly refusal: Refusal | undefined;
  readonly here: boolean;
  readonly since: number | undefined;
}

/** Is the volume staged on the pod's node? A later unstage puts it out again. */
function deviceState(scene: Scene, volume: PodVolume): WorkState {
  const node = scene.seen?.spec.nodeName;
  const about = scene.witnesses.filter(
    (witness) => sharesName(witness, volume) && (witness.node === undefined || witness.node === node) && (witness.deed !== 'start' || ofPod(witness, scene)),
  );
  return workState(scene, about, 'stage', 'unstage', mountRefusal(scene, volume, /^MountVolume\.MountDevice failed|^MapVolume\.SetUpDevice failed/));
}

/** Is the volume published to the pod? Only records of this pod count. */
function publishState(scene: Scene, volume: PodVolume): WorkState {
  const about = scene.witnesses.filter((witness) => sharesName(witness, volume) && ofPod(witness, scene));
  const refusal =
    mountRefusal(scene, volume, /^MountVolume\.SetUp failed|^MapVolume\.(?:MapPodDevice|SetUp) failed/) ??
    podRefusal(scene, new RegExp(`failed to process volumes=\\[[^\\]]*\\b${escaped(volume.name)}\\b`));
  return workState(scene, about, 'publish', 'unpublish', refusal);
}

function workState(scene: Scene, about: readonly Witness[], done: Deed, undone: Deed, event: Refusal | undefined): WorkState {
  const undoneAt = about.findLast((witness) => witness.deed === undone && witness.ok)?.index ?? -1;
  const good = about.filter((witness) => witness.deed === done && witness.ok && witness.index > undoneAt);
  const bad = about.findLast((witness) => witness.deed === done && !witness.ok && witness.index > undoneAt);
  const failed = [event, bad === undefined ? undefined : refusalOfCall(scene, bad)]
    .filter((item): item is Refusal => item !== undefined && item.index > (good.at(-1)?.index ?? undoneAt))
    .sort((a, b) => b.index - a.index)[0];
  const started = about.findLast((witness) => witness.deed === 'start' && witness.index > Math.max(undoneAt, good.at(-1)?.index ?? -1));
  if (good.length > 0) {
    const evidence = good.map((witness): Evidence => ({ held: true, what: sourceOf(scene, witness), field: witness.says, index: witness.index, t: witness.t }));
    return { mark: 'proven', evidence: evidence.slice(0, 3), refusal: undefined, here: false, since: good[0]?.t };
  }
  if (failed !== undefined) return { mark: 'blocked', evidence: undefined, refusal: failed, here: false, since: failed.t };
  return { mark: started === undefined ? 'not-run' : 'here', evidence: undefined, refusal: undefined, here: started !== undefined, since: started?.t };
}

function sharesName(witness: Witness, volume: PodVolume): boolean {
  return witness.volume.some((name) => volume.names.includes(name));
}

function ofPod(witness: Witness, scene: Scene): boolean {
  const pod = scene.seen;
  if (pod === undefined || witness.pod === undefined) return false;
  if (witness.pod === pod.metadata.uid) return true;
  return witness.pod === `${pod.metadata.namespace ?? ''}/${pod.metadata.name}` && witness.index > scene.podSince;
}

function mountRefusal(scene: Scene, volume: PodVolume, begins: RegExp): Refusal | undefined {
  const pod = scene.pod?.object;
  if (pod === undefined) return undefined;
  const row = lastRow(
    scene,
    ({ event }) =>
      event.type === 'Warning' && isAbout(event, pod) && begins.test(event.message) && volume.names.some((name) => event.message.includes(`"${name}"`)),
  );
  return row === undefined ? undefined : refusalOf(row);
}

// --- published ---

function publishedStation(scene: Scene): Station {
  if (scene.seen?.spec.nodeName === undefined) return station('published', [], {});
  const states = scene.volumes.map((volume) => publishState(scene, volume));
  const evidence = states.flatMap((state, i): readonly Evidence[] => {
    const name = scene.volumes[i]?.name ?? '';
    return state.evidence === undefined ? [missing(name, 'NodePublishVolume / SetUp')] : state.evidence.slice(0, 1);
  });
  const refusal = states.find((state) => state.refusal !== undefined)?.refusal;
  return station('published', evidence, { refusal, here: states.some((state) => state.here) });
}

function trackOf(scene: Scene, volume: PodVolume): Track {
  const published = publishState(scene, volume);
  const device: WorkState = volume.staged ? deviceState(scene, volume) : { mark: 'passed-through', evidence: undefined, refusal: undefined, here: false, since: undefined };
  const attach = attachMark(scene, volume);
  const refused = published.refusal ?? device.refusal ?? attach.refusal;
  const retry = scene.witnesses.findLast((witness) => witness.deed === 'back-off' && sharesName(witness, volume));
  const staged = device.mark === 'proven' || !volume.staged;
  return {
    volume: volume.name,
    kind: volume.kind,
    attached: attach.mark,
    staged: device.mark === 'here' && ((attach.mark !== 'proven' && attach.mark !== 'passed-through') || published.mark === 'proven') ? 'not-run' : device.mark,
    published: published.mark === 'here' && !staged ? 'not-run' : published.mark,
    refusal: refused,
    since: published.since ?? device.since,
    retryAfter: refused === undefined ? undefined : retry?.says.replace('durationBeforeRetry ', ''),
  };
}

function attachMark(scene: Scene, volume: PodVolume): { mark: Mark; refusal: Refusal | undefined } {
  if (volume.attach === 'none') return { mark: 'passed-through', refusal: undefined };
  if (volume.attach === 'unknown') return { mark: 'not-run', refusal: undefined };
  const evidence = attachEvidence(scene, volume);
  const refusal = attachRefusal(scene, volume);
  return { mark: markOf(evidence, { refusal, here: volume.attachment !== undefined }), refusal };
}

// --- process, bytes, again ---

function processStation(scene: Scene): Station {
  const pod = scene.pod;
  if (pod?.object.spec.nodeName === undefined) return station('process', [], {});
  const statuses = pod.object.status.containerStatuses ?? [];
  const running = isRunning(pod.object);
  const ended = statuses.find((status) => status.state.terminated !== undefined)?.state.terminated;
  const started = lastRow(scene, ({ event }) => event.reason === 'Started' && isAbout(event, pod.object));
  const mounts = pod.object.spec.containers.flatMap((container) => container.volumeMounts ?? []);
  const row = mountRows(scene.trace).findLast(
    (item) => item.index <= scene.index && item.podUid === pod.object.metadata.uid && mounts.some((mount) => mount.mountPath === item.mountPath),
  );
  const container: Evidence = running
    ? found(scene, pod, 'containerStatuses: running', isRunning)
    : started !== undefined && ended === undefined
      ? { held: true, what: `Event ${shortName(started.event.metadata.name)}`, field: `Started: ${started.event.message}`, index: started.index, t: started.last }
      : missing(titleOf(pod.object), 'containerStatuses: running');
  const device = pod.object.spec.containers.flatMap((entry) => entry.volumeDevices ?? [])[0]?.devicePath;
  const looked = device === undefined ? undefined : deviceLooks(scene.trace).findLast((item) => item.index <= scene.index && item.podUid === pod.object.metadata.uid && item.path === device);
  const mount: Evidence =
    device !== undefined && row === undefined
      ? looked === undefined
        ? { ...missing('exec', `ls -l ${device}`), note: 'noMountRow' }
        : { held: true, what: 'exec', field: `${device}: b`, index: looked.index, t: looked.t, note: 'noMountRow' }
      : row === undefined
      ? missing('exec', '/proc/self/mountinfo')
      : { held: true, what: 'exec', field: `/proc/self/mountinfo: ${row.mountPath} ${row.options}`, index: row.index, t: row.t };
  const waiting = statuses.find((status) => status.state.waiting !== undefined && !/ContainerCreating|PodInitializing/.test(status.state.waiting.reason))?.state.waiting;
  return station('process', [container, mount], {
    detail: ended === undefined ? (container.held ? 'running' : '') : `exit ${ended.exitCode}`,
    here: started === undefined && scene.events.some(({ event }) => (event.reason === 'Pulled' || event.reason === 'Created') && isAbout(event, pod.object)),
    refusal:
      waiting === undefined
        ? undefined
        : { by: 'kubelet', node: pod.object.spec.nodeName, says: waiting.message ?? waiting.reason, short: waiting.reason, reason: reasonOf(waiting.message ?? ''), index: pod.index, t: pod.t ?? 0 },
  });
}

function isRunning(pod: Pod): boolean {
  const statuses = pod.status.containerStatuses ?? [];
  return statuses.length > 0 && statuses.every((status) => status.state.running !== undefined);
}

function bytesStation(scene: Scene): Station {
  const uid = scene.seen?.metadata.uid;
  const mine = touches(scene.trace).filter((touch) => touch.index <= scene.index && touch.podUid === uid);
  if (mine.length === 0) return station('bytes', [], {});
  const wrote = mine.findLast((touch) => touch.how === 'wrote' && touch.on !== undefined);
  const read = mine.findLast((touch) => touch.how === 'read' && touch.on !== undefined && (wrote === undefined || reads(touch, wrote)));
  const refused = mine.findLast((touch) => touch.how === 'refused' && touch.index > (wrote?.index ?? -1));
  const astray = mine.findLast((touch) => touch.how === 'wrote' && touch.on === undefined);
  const evidence: Evidence[] = [
    wrote === undefined ? (astray === undefined ? missing('exec', 'write to the volume') : { ...said(astray), held: false }) : said(wrote),
    read === undefined ? missing('exec', 'read back from the mount') : said(read),
  ];
  return station('bytes', evidence, {
    detail: (read ?? wrote)?.path ?? '',
    refusal: refused === undefined ? undefined : refusalOfShell(refused),
  });
}

function againStation(scene: Scene): Station {
  const done = touches(scene.trace).filter((touch) => touch.index <= scene.index && touch.on !== undefined);
  const mine = scene.seen?.metadata.uid;
  const pairs = done
    .filter((touch) => touch.how === 'read' && touch.podUid === mine)
    .flatMap((read) => done.filter((wrote) => wrote.how === 'wrote' && wrote.index < read.index && reads(read, wrote)).map((wrote) => ({ read, wrote })));
  if (pairs.length === 0) return station('again', [], {});
  const kinds: readonly [string, (pair: { read: Touch; wrote: Touch }) => boolean][] = [
    ['again_container', ({ read, wrote }) => read.podUid === wrote.podUid && read.restarts > wrote.restarts],
    ['again_pod', ({ read, wrote }) => read.podUid !== wrote.podUid && podGone(scene.trace, wrote.podUid, read.index)],
    ['again_node', ({ read, wrote }) => read.node !== wrote.node],
  ];
  const evidence = kinds.map(([what, holds]): Evidence => {
    const pair = pairs.findLast(holds);
    if (pair !== undefined) return { held: true, what, field: `${pair.read.path}: same PV uid, volumeHandle ${pair.read.on?.handle.slice(0, 12) ?? ''}`, index: pair.read.index, t: pair.read.t };
    const beside = what === 'again_pod' ? pairs.findLast(({ read, wrote }) => read.podUid !== wrote.podUid) : undefined;
    return beside === undefined ? missing(what, 'read again') : { held: false, what: 'again_beside', field: `${beside.read.pod}: ${beside.read.path}`, index: beside.read.index, t: beside.read.t };
  });
  if (evidence.every((item) => !item.held && item.index === undefined)) return station('again', [], {});
  return station('again', evidence, { detail: evidence.filter((item) => item.held).map((item) => item.what)[0] ?? '' });
}

/** Was the pod's object removed before this record? A pod read beside one that still exists outlives nothing. */
function podGone(trace: Trace, uid: string, before: number): boolean {
  return trace.records.some((record, i) => i < before && record.type === 'watch' && record.verb === 'DELETED' && record.object.metadata.uid === uid);
}

/** Did this read find what that write left, on the same volume at the same place? */
function reads(read: Touch, wrote: Touch): boolean {
  return read.on?.pvUid === wrote.on?.pvUid && read.on?.handle === wrote.on?.handle && read.on?.inside === wrote.on?.inside && read.content.split('\n').includes(wrote.content);
}

function said(touch: Touch): Evidence {
  return { held: true, what: `exec in ${touch.pod}`, field: `${touch.how} ${touch.path}`, index: touch.index, t: touch.t };
}

function refusalOfShell(touch: Touch): Refusal {
  return { by: 'sh', node: touch.node, says: touch.content, short: touch.content.replace(/^sh: /, ''), reason: reasonOf(touch.content), index: touch.index, t: touch.t };
}

// --- shared ---

interface More {
  readonly detail?: string;
  readonly refusal?: Refusal | undefined;
  readonly here?: boolean;
  readonly passed?: boolean;
}

function station(name: StationName, evidence: readonly Evidence[], more: More): Station {
  const mark = more.passed === true ? 'passed-through' : markOf(evidence, more);
  const times = evidence.filter((item) => item.held && item.t !== undefined).map((item) => item.t ?? 0);
  const refusal = mark === 'blocked' ? more.refusal : undefined;
  return {
    name,
    mark,
    evidence,
    t: refusal?.t ?? (times.length === 0 ? undefined : Math.max(...times)),
    detail: more.detail ?? '',
    refusal,
  };
}

/** All evidence: proven. A refusal not yet overcome: blocked. Some: partly. None, but work in hand: here. */
function markOf(evidence: readonly Evidence[], more: { readonly refusal?: Refusal | undefined; readonly here?: boolean }): Mark {
  const held = evidence.filter((item) => item.held).length;
  if (evidence.length > 0 && held === evidence.length) return 'proven';
  if (more.refusal !== undefined) return 'blocked';
  if (held > 0) return 'partly';
  return more.here === true ? 'here' : 'not-run';
}

/** A field of an object, with the write that made it so. */
function found<O extends AnyObject>(scene: Scene, held: Held<O>, field: string, holds: (object: O) => boolean): Evidence {
  const since = heldSince(scene.trace, held, holds);
  return { held: true, what: titleOf(held.object), field, index: since?.index, t: since?.t };
}

function missing(what: string, field: string): Evidence {
  return { held: false, what, field, index: undefined, t: undefined };
}

function lastRow(scene: Scene, matches: (row: EventRow) => boolean): EventRow | undefined {
  return scene.events.filter(matches).sort((a, b) => b.index - a.index)[0];
}

function refusalOf(row: EventRow): Refusal {
  const { component, instance } = fromOf(row.event);
  return {
    by: component,
    node: instance !== undefined && !instance.startsWith('_') ? instance : undefined,
    says: row.event.message,
    short: shortSays(row.event.message),
    reason: reasonOf(row.event.message),
    index: row.index,
    t: row.last,
  };
}

function refusalOfCall(scene: Scene, witness: Witness): Refusal {
  const record = scene.trace.records[witness.index];
  const says = record?.type === 'csi' ? `rpc error: code = ${record.code} desc = ${record.error}` : witness.says;
  return { by: record?.type === 'csi' ? record.driver : 'kubelet', node: witness.node, says, short: shortSays(says), reason: reasonOf(says), index: witness.index, t: witness.t };
}

function sourceOf(scene: Scene, witness: Witness): string {
  const record = scene.trace.records[witness.index];
  if (record?.type === 'csi') return `CSI ${record.driver}`;
  if (record?.type === 'state') return `${record.machine} (${record.key})`;
  return `kubelet log${witness.node === undefined ? '' : `, ${witness.node}`}`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The stations in order, as a list. */
export function inOrder(line: Line): Station[] {
  return STATIONS.map((name) => line.stations[name]);
}
