/** A pod as the scheduler looks at it: what it asks for, read off the object once (framework/types.go PodInfo, v1.35). */
import type { Pod, PodAffinityTerm, Volume } from '../../model/objects.ts';
import { nonZeroRequests, podRequests, type Amounts } from './resources.ts';

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

export interface PodInfo {
  readonly pod: Pod;
  /** `namespace/name`. */
  readonly key: string;
  readonly uid: string;
  readonly priority: number;
  readonly requests: Amounts;
  readonly nonZero: { readonly cpu: number; readonly memory: number };
  /** What a node's resource score depends on of a pod. The same text for all pods that ask for the same. */
  readonly scoreKey: string;
  readonly hostPorts: readonly HostPort[];
  /** `namespace/claim` of every volume that is a claim, also a generic ephemeral one. */
  readonly claims: readonly string[];
  /** Only those that the pod names itself: what VolumeRestrictions counts. */
  readonly namedClaims: readonly string[];
  /** The uid of its controller. */
  readonly owner: string | undefined;
  readonly affinity: readonly PodAffinityTerm[];
  readonly antiAffinity: readonly PodAffinityTerm[];
}

type Facts = Omit<PodInfo, 'pod'>;
/** What a pod's facts were read off. */
interface Known {
  spec: Pod['spec'];
  readonly owners: Pod['metadata']['ownerReferences'];
  readonly facts: Facts;
}

/** By the list of containers, which a pod keeps when it gets its node. */
const known = new WeakMap<Pod['spec']['containers'], Known>();

/** The pod's info. A pod's spec is a value, so what follows from it is computed once. */
export function podInfoOf(pod: Pod): PodInfo {
  return infoFrom(factsOf(pod), pod);
}

/** The info of the pod as it is now, made from the one before. */
export function renewedInfo(before: PodInfo, pod: Pod): PodInfo {
  const same = before.pod.spec === pod.spec && before.pod.metadata.ownerReferences === pod.metadata.ownerReferences;
  return same ? infoFrom(before, pod) : podInfoOf(pod);
}

/** Spelled out: a spread that adds a field to another object's is several times slower. */
function infoFrom({ key, uid, priority, requests, nonZero, scoreKey, hostPorts, claims, namedClaims, owner, affinity, antiAffinity }: Facts, pod: Pod): PodInfo {
  return { key, uid, priority, requests, nonZero, scoreKey, hostPorts, claims, namedClaims, owner, affinity, antiAffinity, pod };
}

function factsOf(pod: Pod): Facts {
  const { metadata, spec } = pod;
  const before = known.get(spec.containers);
  if (before?.facts.uid === metadata.uid && (before.spec === spec || (before.owners === metadata.ownerReferences && asksTheSame(before.spec, spec)))) {
    before.spec = spec;
    return before.facts;
  }
  const facts = readFacts(pod);
  known.set(spec.containers, { spec, owners: metadata.ownerReferences, facts });
  return facts;
}

/** Two specs with one list of containers. */
function asksTheSame(a: Pod['spec'], b: Pod['spec']): boolean {
  return a.volumes === b.volumes && a.initContainers === b.initContainers && a.priority === b.priority && a.affinity === b.affinity;
}

function readFacts(pod: Pod): Facts {
  const { spec } = pod;
  const namespace = pod.metadata.namespace ?? '';
  const volumes = spec.volumes ?? [];
  const requests = podRequests(spec);
  const nonZero = nonZeroRequests(spec);
  return {
    key: `${namespace}/${pod.metadata.name}`,
    uid: pod.metadata.uid,
    priority: spec.priority ?? 0,
    requests,
    nonZero,
    scoreKey: scoreKeyOf(nonZero.cpu, nonZero.memory, requests.get('cpu') ?? 0, requests.get('memory') ?? 0),
    hostPorts: hostPortsOf(pod),
    claims: volumes.flatMap((volume) => claimNameOf(pod, volume) ?? []).map((name) => `${namespace}/${name}`),
    namedClaims: volumes.flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []).map((name) => `${namespace}/${name}`),
    owner: pod.metadata.ownerReferences?.find((reference) => reference.controller === true)?.uid,
    affinity: spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
    antiAffinity: spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
  };
}

const scoreKeys = new Map<string, string>();

/** One string for equal keys: comparing a string with itself is cheap. */
function scoreKeyOf(...amounts: readonly number[]): string {
  const key = amounts.join(' ');
  const known = scoreKeys.get(key);
  if (known !== undefined) return known;
  if (scoreKeys.size >= MOST_SCORE_KEYS) scoreKeys.clear();
  scoreKeys.set(key, key);
  return key;
}
const MOST_SCORE_KEYS = 1000;

/** The claim behind a pod volume: named, or `POD-VOLUME` of a generic ephemeral volume (component-helpers storage/ephemeral). */
export function claimNameOf(pod: Pod, volume: Volume): string | undefined {
  if (volume.persistentVolumeClaim) return volume.persistentVolumeClaim.claimName;
  return volume.ephemeral ? `${pod.metadata.name}-${volume.name}` : undefined;
}

function hostPortsOf(pod: Pod): HostPort[] {
  const sidecars = (pod.spec.initContainers ?? []).filter((container) => container.restartPolicy === 'Always');
  return [...pod.spec.containers, ...sidecars].flatMap((container) =>
    (container.ports ?? []).flatMap(({ hostPort = 0, hostIP, protocol }) => (hostPort > 0 ? [{ ip: hostIP ?? '0.0.0.0', protocol: protocol ?? 'TCP', port: hostPort }] : [])),
  );
}

export function isAssigned(pod: Pod): boolean {
  return (pod.spec.nodeName ?? '') !== '';
}

/** The scheduler's pod informer leaves these out, so turning terminal looks like a deletion to it (refinements 5). */
export function isTerminal(pod: Pod): boolean {
  return pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
}
