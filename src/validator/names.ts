/**
 * Names that two runs of one scenario do not share, mapped to what they stand for.
 *
 * A volume `pvc-<uid>` becomes `volume-of(disk)`, an attachment `csi-<hash>` becomes `attachment-of(volume-of(disk),node-of(first))`,
 * a uid `uid-of(pod/first)`; the same in object fields, messages, CSI requests and command outputs. A node is named by the
 * first pod that put it in play, since the scheduler may choose freely among those that fit; which node that was is one
 * fact of its own (`choice`). An object that is made again under its old name is `disk#2`.
 */
import type { AnyObject, Kind, Volume } from '../../machines/model/objects.ts';
import type { Trace, WatchRecord } from '../../machines/trace/format.ts';
import { attachmentName } from '../../machines/model/volume-identity.ts';
import { sha256 } from '../../machines/model/sha256.ts';
import { Dropped } from './ignored.ts';
import type { VolumeSource } from './witness.ts';

/** From whose point of view a text is read: decides how nodes and zones in it are called. */
export interface View {
  /** Pods by uid, the one that names a node first comes first. */
  readonly pods: readonly string[];
  /** The zone that counts as "its zone". */
  readonly zone?: string | undefined;
  /** Leave nodes and zones as they are: what the person wrote. */
  readonly asWritten?: boolean | undefined;
}

/** For what the person wrote: generated names are replaced, nodes and zones are not. */
export const asWritten: View = { pods: [], asWritten: true };

interface PodEntry {
  readonly uid: string;
  readonly alias: string;
  readonly namespace: string;
  readonly claims: ReadonlySet<string>;
  /** Pod volume name by claim name. */
  readonly volumeOfClaim: ReadonlyMap<string, string>;
  /** Source by the volume's name in the pod; a claim's is that of its PV. */
  readonly sources: ReadonlyMap<string, VolumeSource | 'claim'>;
  node: string | undefined;
  /** Nodes that the scheduler chose for it, whether or not it came to run there. */
  readonly chosen: Set<string>;
}

interface VolumeEntry {
  readonly name: string;
  readonly alias: string;
  zone: string | undefined;
  readonly handle: string | undefined;
  readonly claims: Set<string>;
  bound: boolean;
}

/** A life of an object: from ADDED to DELETED. */
interface Life {
  readonly uid: string;
  readonly id: string;
  readonly from: number;
}

export interface Names {
  /** Names the object of a write, an event or a reference: `pvc/disk#2`, `pv/volume-of(disk)`. */
  idOf(reference: Reference, index?: number): string;
  /** Replaces what is generated or free in a text. */
  text(text: string, view?: View): string;
  /** The point of view of an object, by uid where known, else by kind, namespace and name. */
  viewOf(reference: Reference, index?: number): View;
  viewOfVolume(pvName: string): View;
  /** The point of view of the last object with this name that has one of its own. */
  viewOfName(kind: Kind | undefined, name: string): View | undefined;
  /** The volume with this CSI handle. */
  volumeOfHandle(handle: string): string | undefined;
  /** The pod's own name of the volume behind a PV. */
  podVolumeOf(podUid: string, pvName: string): string | undefined;
  /** Ids of the pods that use a claim (`ns/name`). */
  podsOfClaim(claim: string): string[];
  /** Names of the PVs behind a pod's claims. */
  volumesOfPod(uid: string): string[];
  /** Ids of a pod's claims as they lived at a record. */
  claimsOfPod(uid: string, index: number): string[];
  /** The CSI handle of a PV. */
  handleOf(pvName: string): string | undefined;
  /** uid of the first pod with the PV on the node. */
  podUidOnNode(node: string, pvName: string): string | undefined;
  /** What a pod's volume (its name in the pod) is made of. */
  volumeSource(podUid: string, volume: string): VolumeSource | undefined;
  /** Whether the PV was bound at some time. */
  wasBound(pvName: string): boolean;
  /** Whether the object is one that the trace shows. */
  has(reference: Reference): boolean;
  /** uid of the object with this kind, namespace and name that lived at a record. */
  uidAt(kind: Kind, namespace: string, name: string, index: number): string | undefined;
  /** Nodes of the pods, in order of creation. */
  readonly pods: readonly { readonly alias: string; readonly node: string | undefined }[];
  readonly volumes: readonly { readonly alias: string; readonly zone: string | undefined }[];
}

export interface Reference {
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
}

const shortKinds: Readonly<Record<string, string>> = { PersistentVolumeClaim: 'pvc', PersistentVolume: 'pv', VolumeAttachment: 'va' };
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** The kind as `kubectl` shortens it. */
function shortKind(kind: string): string {
  return shortKinds[kind] ?? kind.toLowerCase();
}

/**
 * Reads all names of a trace.
 * @param dropped counts what is replaced
 */
export function namesOf(trace: Trace, dropped: Dropped = new Dropped()): Names {
  const builder = new NamesBuilder(trace, dropped);
  return builder.build();
}

class NamesBuilder {
  private readonly trace: Trace;
  private readonly dropped: Dropped;
  private readonly namespace: string;
  /** kind/ns/name → lives in order. */
  private readonly lives = new Map<string, Life[]>();
  private readonly idByUid = new Map<string, string>();
  private readonly tokens = new Map<string, string>();
  private readonly attachments = new Map<string, { readonly volume: string; readonly node: string; readonly attacher: string; readonly uid: string }>();
  private readonly podsByUid = new Map<string, PodEntry>();
  private readonly volumesByName = new Map<string, VolumeEntry>();
  private readonly volumeByHandle = new Map<string, string>();
  /** `ns/name` of every claim. */
  private readonly claimByUid = new Map<string, string>();
  private readonly childrenOf = new Map<string, number>();
  private readonly nodes = new Map<string, { readonly ip: string | undefined; readonly zone: string | undefined }>();

  constructor(trace: Trace, dropped: Dropped) {
    this.trace = trace;
    this.dropped = dropped;
    this.namespace = trace.scenario.namespace;
  }

  build(): Names {
    for (const object of this.trace.stage) if (object.kind === 'Node') this.addNode(object);
    this.trace.records.forEach((record, index) => {
      if (record.type === 'watch') this.addWrite(record, index);
    });
    this.nameAttachments();
    const pattern = this.pattern();
    const zones = new Set([...this.nodes.values()].flatMap(node => (node.zone === undefined ? [] : [node.zone])));
    const text = (value: string, view: View = noView) => podsInOrder(this.replace(value, view, pattern, zones));
    return {
      idOf: (reference, index) => this.idOf(reference, index ?? Infinity),
      text,
      viewOf: (reference, index) => this.viewOf(reference, index ?? Infinity),
      viewOfVolume: name => this.viewOfVolume(name),
      viewOfName: (kind, name) => this.viewOfName(kind, name),
      volumeOfHandle: handle => this.volumeByHandle.get(handle),
      podsOfClaim: claim => this.podsOfClaim(claim).map(pod => `pod/${pod.alias}`),
      volumesOfPod: uid => this.volumesOfPod(uid),
      claimsOfPod: (uid, index) => [...(this.podsByUid.get(uid)?.claims ?? [])].map(claim => this.claimId(claim, index)),
      handleOf: name => this.volumesByName.get(name)?.handle,
      podUidOnNode: (node, pvName) => this.viewOfVolume(pvName).pods.find(uid => this.podsByUid.get(uid)?.node === node),
      volumeSource: (uid, volume) => this.volumeSource(uid, volume),
      wasBound: name => this.volumesByName.get(name)?.bound ?? false,
      has: reference => this.idByUid.has(reference.uid ?? '') || this.lives.has(`${reference.kind ?? ''}/${reference.namespace ?? ''}/${reference.name ?? ''}`),
      podVolumeOf: (podUid, pvName) => this.podVolumeOf(podUid, pvName),
      uidAt: (kind, namespace, name, index) => this.lifeAt(`${kind}/${namespace}/${name}`, index)?.uid,
      pods: [...this.podsByUid.values()],
      volumes: [...this.volumesByName.values()],
    };
  }

  private addNode(node: AnyObject & { kind: 'Node' }): void {
    this.nodes.set(node.metadata.name, {
      ip: node.status.addresses?.find(address => address.type === 'InternalIP')?.address,
      zone: node.metadata.labels?.['topology.kubernetes.io/zone'],
    });
  }

  private addWrite(record: WatchRecord, index: number): void {
    const object = record.object;
    if (object.kind === 'Event') return;
    this.addLife(object, index);
    if (object.kind === 'Pod') this.addPod(object);
    if (object.kind === 'PersistentVolumeClaim') this.claimByUid.set(object.metadata.uid, `${object.metadata.namespace ?? ''}/${object.metadata.name}`);
    if (object.kind === 'PersistentVolume') this.addVolume(object);
    if (object.kind === 'VolumeAttachment') {
      const volume = object.spec.source.persistentVolumeName;
      this.attachments.set(object.metadata.name, { volume, node: object.spec.nodeName, attacher: object.spec.attacher, uid: object.metadata.uid });
    }
  }

  private addLife(object: AnyObject, index: number): void {
    const { uid, name, namespace } = object.metadata;
    if (this.idByUid.has(uid)) return;
    const key = `${object.kind}/${namespace ?? ''}/${name}`;
    const lives = this.lives.get(key) ?? [];
    this.lives.set(key, lives);
    const base = this.givenName(object);
    const id = `${shortKind(object.kind)}/${this.place(namespace)}${base}${lives.length === 0 ? '' : `#${lives.length + 1}`}`;
    lives.push({ uid, id, from: index });
    this.idByUid.set(uid, id);
    this.tokens.set(uid, `uid-of(${id})`);
  }

  private place(namespace: string | undefined): string {
    return namespace === undefined || namespace === this.namespace ? '' : `${namespace}/`;
  }

  /** The name as the scenario knows it. */
  private givenName(object: AnyObject): string {
    const { name } = object.metadata;
    if (object.kind === 'PersistentVolume') return this.volumeAlias(object);
    const owner = object.metadata.ownerReferences?.find(reference => reference.controller === true);
    if (owner?.kind === 'Pod') return this.nameOfEphemeral(name, owner);
    if (owner === undefined || owner.kind === 'StatefulSet') {
      if (owner !== undefined) this.addRevision(object, owner.name);
      return name;
    }
    const ownerId = this.idByUid.get(owner.uid) ?? `${shortKind(owner.kind)}/${owner.name}`;
    const ordinal = (this.childrenOf.get(ownerId) ?? 0) + 1;
    this.childrenOf.set(ownerId, ordinal);
    const alias = `${shortKind(object.kind)}-${ordinal}-of(${ownerId.slice(ownerId.indexOf('/') + 1)})`;
    this.tokens.set(name, alias);
    const hash = object.metadata.labels?.['pod-template-hash'];
    if (object.kind === 'ReplicaSet' && hash !== undefined) this.tokens.set(hash, `hash-of(${alias})`);
    return alias;
  }

  /** The claim of a pod's ephemeral volume is named after the pod: after what that stands for where its name is generated. */
  private nameOfEphemeral(name: string, owner: Reference): string {
    const pod = this.tokens.get(owner.name ?? '');
    if (pod === undefined || !name.startsWith(`${owner.name ?? ''}-`)) return name;
    const alias = `${pod}${name.slice((owner.name ?? '').length)}`;
    this.tokens.set(name, alias);
    return alias;
  }

  private addRevision(object: AnyObject, owner: string): void {
    const revision = object.metadata.labels?.['controller-revision-hash'];
    if (revision === undefined || this.tokens.has(revision)) return;
    const ordinal = (this.childrenOf.get(`revision/${owner}`) ?? 0) + 1;
    this.childrenOf.set(`revision/${owner}`, ordinal);
    this.tokens.set(revision, `revision-${ordinal}-of(${owner})`);
  }

  private volumeAlias(object: AnyObject & { kind: 'PersistentVolume' }): string {
    const name = object.metadata.name;
    if (!new RegExp(`^pvc-${uuid}$`).test(name)) return name;
    const claimId = this.idByUid.get(name.slice('pvc-'.length)) ?? `pvc/${object.spec.claimRef?.name ?? 'unknown'}`;
    const alias = `volume-of(${claimId.slice('pvc/'.length)})`;
    this.tokens.set(name, alias);
    return alias;
  }

  private addVolume(object: AnyObject & { kind: 'PersistentVolume' }): void {
    const name = object.metadata.name;
    let entry = this.volumesByName.get(name);
    if (entry === undefined) {
      const id = this.idByUid.get(object.metadata.uid) ?? `pv/${name}`;
      entry = { name, alias: id.slice('pv/'.length), zone: undefined, handle: object.spec.csi?.volumeHandle, claims: new Set(), bound: false };
      this.volumesByName.set(name, entry);
    }
    entry.zone ??= zoneOfVolume(object);
    if (object.status.phase === 'Bound') entry.bound = true;
    const claim = object.spec.claimRef;
    if (claim?.name !== undefined) entry.claims.add(`${claim.namespace ?? ''}/${claim.name}`);
    const handle = object.spec.csi?.volumeHandle;
    if (handle !== undefined) {
      this.volumeByHandle.set(handle, name);
      if (isGenerated(handle, name)) this.tokens.set(handle, handle === entry.handle ? `handle-of(${entry.alias})` : `other-handle-of(${entry.alias})`);
    }
  }

  private addPod(object: AnyObject & { kind: 'Pod' }): void {
    const known = this.podsByUid.get(object.metadata.uid);
    if (known !== undefined) {
      known.node ??= object.spec.nodeName;
      noteChoice(known.chosen, object);
      return;
    }
    const namespace = object.metadata.namespace ?? '';
    const volumeOfClaim = new Map<string, string>();
    for (const volume of object.spec.volumes ?? []) {
      const claim = volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral === undefined ? undefined : `${object.metadata.name}-${volume.name}`);
      if (claim !== undefined) volumeOfClaim.set(`${namespace}/${claim}`, volume.name);
    }
    const id = this.idByUid.get(object.metadata.uid) ?? `pod/${object.metadata.name}`;
    this.podsByUid.set(object.metadata.uid, {
      uid: object.metadata.uid,
      alias: id.slice('pod/'.length),
      namespace,
      claims: new Set(volumeOfClaim.keys()),
      volumeOfClaim,
      sources: new Map((object.spec.volumes ?? []).map(volume => [volume.name.replace(/^kube-api-access-.*/, 'kube-api-access'), sourceOfVolume(volume)])),
      node: object.spec.nodeName,
      chosen: noteChoice(new Set(), object),
    });
  }

  /** Only after all pods are known can an attachment be named by the pod that made its node the one. */
  private nameAttachments(): void {
    for (const [name, { volume, node, attacher, uid }] of this.attachments) {
      const alias = this.volumesByName.get(volume)?.alias ?? volume;
      const handle = this.volumesByName.get(volume)?.handle;
      const named = handle === undefined || name === attachmentName(handle, attacher, node) ? 'attachment' : 'misnamed-attachment';
      const attachment = `${named}-of(${alias},${this.nodeName(node, this.viewOfVolume(volume))})`;
      this.tokens.set(name, attachment);
      for (const [index, life] of (this.lives.get(`VolumeAttachment//${name}`) ?? []).entries()) {
        this.idByUid.set(life.uid, `va/${attachment}${index === 0 ? '' : `#${index + 1}`}`);
      }
      this.tokens.set(uid, `uid-of(va/${attachment})`);
    }
  }

  private nodeName(node: string, view: View): string {
    const viewed = view.pods.flatMap(uid => this.podsByUid.get(uid) ?? []);
    for (const pod of viewed) if (pod.node === node) return `node-of(${pod.alias})`;
    for (const pod of viewed) if (pod.chosen.has(node)) return `node-chosen-for(${pod.alias})`;
    for (const pod of this.podsByUid.values()) if (pod.node === node) return `node-of(${pod.alias})`;
    return node;
  }

  private viewOfVolume(name: string): View {
    const volume = this.volumesByName.get(name);
    if (volume === undefined) return this.viewOfUnmade(name);
    const pods = [...this.podsByUid.values()].filter(pod => [...pod.claims].some(claim => volume.claims.has(claim))).map(pod => pod.uid);
    return { pods, zone: volume.zone };
  }

  /** A volume that was asked for and never made: its zone is that of the node that was chosen for the claim's pod, as far as that was one. */
  private viewOfUnmade(name: string): View {
    const claim = this.claimByUid.get(name.slice('pvc-'.length));
    const pods = claim === undefined ? [] : this.podsOfClaim(claim);
    const zones = new Set(pods.flatMap(pod => [...(pod.node === undefined ? [] : [pod.node]), ...pod.chosen]).map(node => this.nodes.get(node)?.zone));
    const [zone] = zones;
    return { pods: pods.map(pod => pod.uid), zone: zones.size === 1 ? zone : undefined };
  }

  private viewOf(reference: Reference, index: number): View {
    const uid = reference.uid ?? this.lifeAt(`${reference.kind ?? ''}/${reference.namespace ?? ''}/${reference.name ?? ''}`, index)?.uid;
    if (reference.kind === 'Pod' && uid !== undefined) return this.viewOfPod(uid);
    if (reference.kind === 'PersistentVolume' && reference.name !== undefined) return this.viewOfVolume(reference.name);
    if (reference.kind === 'VolumeAttachment' && reference.name !== undefined) {
      return this.viewOfVolume(this.attachments.get(reference.name)?.volume ?? '');
    }
    if (reference.kind === 'PersistentVolumeClaim') {
      const claim = `${reference.namespace ?? ''}/${reference.name ?? ''}`;
      return { pods: this.podsOfClaim(claim).map(pod => pod.uid) };
    }
    return noView;
  }

  private viewOfName(kind: Kind | undefined, name: string): View | undefined {
    for (const candidate of ['Pod', 'PersistentVolume', 'VolumeAttachment', 'PersistentVolumeClaim'] as const) {
      if (kind !== undefined && kind !== candidate) continue;
      const namespace = candidate === 'Pod' || candidate === 'PersistentVolumeClaim' ? this.namespace : '';
      const life = this.lives.get(`${candidate}/${namespace}/${name}`)?.at(-1);
      if (life !== undefined) return this.viewOf({ kind: candidate, namespace, name, uid: life.uid }, Infinity);
    }
    return undefined;
  }

  private viewOfPod(uid: string): View {
    const pod = this.podsByUid.get(uid);
    if (pod === undefined) return noView;
    const others = [...this.podsByUid.values()].filter(other => other !== pod && [...other.claims].some(claim => pod.claims.has(claim)));
    const zone = pod.node === undefined ? undefined : this.nodes.get(pod.node)?.zone;
    return { pods: [uid, ...others.map(other => other.uid)], zone };
  }

  private volumeSource(uid: string, volume: string): VolumeSource | undefined {
    const pod = this.podsByUid.get(uid);
    const source = pod?.sources.get(volume.replace(/^kube-api-access-.*/, 'kube-api-access'));
    if (pod === undefined || source !== 'claim') return source as VolumeSource | undefined;
    const claim = [...pod.volumeOfClaim].find(([, name]) => name === volume)?.[0];
    const entry = [...this.volumesByName.values()].find(candidate => claim !== undefined && candidate.claims.has(claim));
    return entry === undefined ? undefined : entry.handle === undefined ? 'other' : 'csi';
  }

  private podsOfClaim(claim: string): PodEntry[] {
    return [...this.podsByUid.values()].filter(pod => pod.claims.has(claim));
  }

  private volumesOfPod(uid: string): string[] {
    const claims = this.podsByUid.get(uid)?.claims;
    if (claims === undefined) return [];
    return [...this.volumesByName.values()].filter(volume => [...volume.claims].some(claim => claims.has(claim))).map(volume => volume.name);
  }

  private claimId(claim: string, index: number): string {
    const cut = claim.indexOf('/');
    return this.idOf({ kind: 'PersistentVolumeClaim', namespace: claim.slice(0, cut), name: claim.slice(cut + 1) }, index);
  }

  private podVolumeOf(podUid: string, pvName: string): string | undefined {
    const pod = this.podsByUid.get(podUid);
    const volume = this.volumesByName.get(pvName);
    if (pod === undefined || volume === undefined) return undefined;
    for (const [claim, name] of pod.volumeOfClaim) if (volume.claims.has(claim)) return name;
    return undefined;
  }

  private lifeAt(key: string, index: number): Life | undefined {
    const lives = this.lives.get(key);
    return lives?.findLast(life => life.from <= index) ?? lives?.[0];
  }

  private idOf(reference: Reference, index: number): string {
    const byUid = reference.uid === undefined ? undefined : this.idByUid.get(reference.uid);
    if (byUid !== undefined) return byUid;
    const key = `${reference.kind ?? ''}/${reference.namespace ?? ''}/${reference.name ?? ''}`;
    const uid = this.lifeAt(key, index)?.uid;
    if (uid !== undefined) return this.idByUid.get(uid) ?? key;
    return `${shortKind(reference.kind ?? 'object')}/${this.place(reference.namespace)}${this.tokens.get(reference.name ?? '') ?? reference.name ?? ''}`;
  }

  private pattern(): RegExp {
    const literal = [...this.tokens.keys(), ...this.nodes.keys(), ...[...this.nodes.values()].flatMap(node => [node.ip ?? [], node.zone ?? []].flat())];
    const escaped = [...new Set(literal)].sort((a, b) => b.length - a.length).map(token => token.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const parts = [
      ...(escaped.length === 0 ? [] : [`(?<![\\w])(?:${escaped.join('|')})(?![\\w-]|\\.\\d)`]),
      `pvc-${uuid}`,
      uuid,
      'csi-[0-9a-f]{64}',
      'vol-[0-9a-f]{8}(?![\\w-])',
      'kube-api-access-[a-z0-9]{5}(?![\\w-])',
      '[0-9a-f]{64}',
      '(?<![\\d-])\\d{13}-\\d{1,5}-(?=[a-z])',
      '(?<![\\d.])10\\.\\d+\\.\\d+\\.\\d+(?![\\d.])',
    ];
    return new RegExp(parts.join('|'), 'g');
  }

  private replace(value: string, view: View, pattern: RegExp, zones: ReadonlySet<string>): string {
    if (!/[0-9a-z]-|zone|\d\.\d|[0-9a-f]{32}/.test(value)) {
      if (!this.tokens.has(value)) return value;
    }
    const named = value.replace(pattern, match => {
      const by = this.replacement(match, view, zones);
      if (by !== match) this.dropped.add(this.nodes.has(match) || zones.has(match) ? 'freeChoice' : 'generatedName');
      return by;
    });
    return named.replace(componentPod, '-<hash>-<letters>_<uid>');
  }

  private replacement(match: string, view: View, zones: ReadonlySet<string>): string {
    const token = this.tokens.get(match);
    if (token !== undefined) return token;
    if (view.asWritten === true && (this.nodes.has(match) || zones.has(match))) return match;
    if (this.nodes.has(match)) return this.nodeName(match, view);
    if (zones.has(match)) return view.zone === undefined ? match : match === view.zone ? 'its-zone' : 'other-zone';
    for (const [name, node] of this.nodes) if (node.ip === match) return `ip-of(${this.nodeName(name, view)})`;
    if (match.startsWith('pvc-')) return 'volume-of(unknown)';
    if (match.startsWith('kube-api-access-')) return 'kube-api-access-<letters>';
    if (match.startsWith('csi-')) return 'attachment-of(unknown)';
    if (match.startsWith('vol-')) return 'handle-of(unknown)';
    if (/^\d{13}-/.test(match)) return '<identity>-';
    if (/^10\./.test(match)) return '<pod-ip>';
    return match.includes('-') ? '<uid>' : '<hash>';
  }
}

/** Lists of pods that a controller reads out of a map, in any order (Multi-Attach errors, claims that wait for several pods). */
function podsInOrder(text: string): string {
  return text
    .replace(/(?<=already used by pod\(s\) )\S+(?:, \S+)+/g, list => list.split(', ').sort().join(', '))
    .replace(/(?<=waiting for pods )\S+(?= to be scheduled)/g, list => list.split(',').sort().join(','));
}

/** A node as one attempt's choice, whether or not the pod came to run there in the end. */
export function asChoice(text: string): string {
  return text.replaceAll('node-of(', 'node-chosen-for(');
}

function noteChoice(chosen: Set<string>, pod: AnyObject & { kind: 'Pod' }): Set<string> {
  return pod.status.nominatedNodeName === undefined ? chosen : chosen.add(pod.status.nominatedNodeName);
}

const noView: View = { pods: [] };

/** The generated end of the name of a Deployment's pod, as a component's name has it: both parts are of Kubernetes' own letters. */
const componentPod = /-[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}_<uid>/g;

function sourceOfVolume(volume: Volume): VolumeSource | 'claim' {
  if (volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined) return 'claim';
  if (volume.secret !== undefined) return 'secret';
  if (volume.configMap !== undefined) return 'configMap';
  if (volume.projected !== undefined) return 'projected';
  return volume.csi === undefined ? 'other' : 'csi';
}

/** The hostpath driver draws a uuid; the zonal one takes the digits from the volume's name (traces' README), so other digits are no id of that volume. */
function isGenerated(handle: string, volume: string): boolean {
  if (new RegExp(`^${uuid}$`).test(handle)) return true;
  return new RegExp(`^pvc-${uuid}$`).test(volume) ? handle === `vol-${sha256(volume).slice(0, 8)}` : /^vol-[0-9a-f]{8}$/.test(handle);
}

/** The zone that a volume's own node affinity requires, if it requires one. */
export function zoneOfVolume(volume: AnyObject & { kind: 'PersistentVolume' }): string | undefined {
  for (const term of volume.spec.nodeAffinity?.required?.nodeSelectorTerms ?? []) {
    for (const expression of term.matchExpressions ?? []) if (expression.key.endsWith('/zone')) return expression.values?.[0];
  }
  return undefined;
}
