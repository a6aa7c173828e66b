/**
 * Where a new volume may be made: the accessibility requirements of a CreateVolume request (ref 4.4;
 * external-provisioner v6.3.0, pkg/controller/topology.go).
 */
import type { ApiServer } from '../../kernel/api-server.ts';
import { deepEqual } from '../../model/values.ts';
import type { CSINode, PersistentVolume, StorageClass, StringMap } from '../../model/objects.ts';

/** Requisite: all places the volume may be made in. Preferred: the same, best first. */
export interface TopologyRequirement {
  readonly requisite: readonly StringMap[];
  readonly preferred: readonly StringMap[];
}

/** Why there are no requirements. `nodeGone`: the selected node is no longer there, so the scheduler has to choose again. */
export interface TopologyFault {
  readonly error: string;
  readonly nodeGone?: boolean | undefined;
}

interface TopologyRequest {
  readonly driver: string;
  readonly claimName: string;
  readonly claimUid: string;
  readonly storageClass: StorageClass;
  readonly selectedNode: string | undefined;
}

/** What the first attempt for a claim found; the further ones ask with the same, until one of them is final. */
interface Memory {
  keys?: readonly string[];
  /** Labels of the selected node. */
  labels?: StringMap;
  places?: readonly StringMap[];
}

/** Knows the places of a cluster; remembers them until a node's labels or drivers change. */
export class Topology {
  private readonly api: ApiServer;
  private readonly placesByKeys = new Map<string, readonly StringMap[]>();
  private readonly keysByDriver = new Map<string, readonly string[]>();
  private readonly memories = new Map<string, Memory>();

  constructor(api: ApiServer) {
    this.api = api;
    api.watch('Node', ({ object, old }) => {
      if (!deepEqual(object.metadata.labels, old?.metadata.labels)) this.placesByKeys.clear();
    });
    api.watch('CSINode', ({ object, old }) => {
      if (!deepEqual(object.spec, old?.spec)) this.keysByDriver.clear();
    });
  }

  /**
   * The requirements, or the error text. With allowedTopologies the requisite is exactly what the class allows; otherwise
   * it is every place that a node of the cluster reports. The preferred order begins with the selected node's place, or,
   * for an Immediate claim, with one that the claim's name picks.
   * @recorded #wait-for-first-consumer, #zone-wait-follows-pod, #chosen-node-has-no-driver
   */
  requirements(request: TopologyRequest): TopologyRequirement | TopologyFault {
    const memory = this.memories.get(request.claimUid) ?? {};
    this.memories.set(request.claimUid, memory);
    return request.selectedNode === undefined ? this.anywhere(request, memory) : this.around(request, request.selectedNode, memory);
  }

  /** After a final answer the next attempt looks again. @modelled external-provisioner v6.3.0 pkg/controller/cache.go */
  forget(claimUid: string): void {
    this.memories.delete(claimUid);
  }

  private anywhere({ driver, claimName, storageClass }: TopologyRequest, memory: Memory): TopologyRequirement | TopologyFault {
    const requisite = this.requisite(storageClass, memory, () => this.keysAnywhere(driver));
    if ('error' in requisite) return requisite;
    return { requisite, preferred: rotate(requisite, spreadingIndex(claimName) % requisite.length) };
  }

  private around({ driver, storageClass }: TopologyRequest, node: string, memory: Memory): TopologyRequirement | TopologyFault {
    const csiNode = this.api.get('CSINode', undefined, node);
    if (!csiNode && !memory.keys) return { error: `failed to get selected CSINode ${node}: csinode.storage.k8s.io "${node}" not found`, nodeGone: true };
    const keys = memory.keys ?? topologyKeysOf(csiNode, driver);
    if (keys.length === 0) return { error: `no topology key found for node ${node}` };
    memory.keys = keys;
    if (!memory.labels || !placeOf(memory.labels, keys)) memory.labels = this.api.get('Node', undefined, node)?.metadata.labels ?? memory.labels ?? {};
    const selected = placeOf(memory.labels, keys);
    if (!selected) return { error: `topology labels from selected node ${goMap(memory.labels)} does not match topology keys from CSINode [${keys.join(' ')}]` };
    const requisite = this.requisite(storageClass, memory, () => keys);
    if ('error' in requisite) return requisite;
    const first = requisite.findIndex((term) => Object.entries(term).every(([key, value]) => selected[key] === value));
    if (first < 0) return { error: `topology ${goTerm(selected)} from selected node "${node}" is not in requisite: [${requisite.map(goTerm).join(' ')}]` };
    return { requisite, preferred: rotate(requisite, first) };
  }

  private requisite(storageClass: StorageClass, memory: Memory, keysOf: () => readonly string[]): readonly StringMap[] | TopologyFault {
    const allowed = flatten(storageClass.allowedTopologies ?? []);
    if (allowed.length > 0) return sortedUnique(allowed);
    const keys = memory.keys ?? keysOf();
    if (keys.length === 0) return { error: 'no available topology found' };
    memory.keys = keys;
    const places = memory.places ?? this.places(keys);
    if (places.length === 0) return { error: `topologyKeys [${keys.join(' ')}] were not found on any nodes` };
    memory.places = places;
    return places;
  }

  /** Topology keys of the first node that runs the driver. */
  private keysAnywhere(driver: string): readonly string[] {
    let keys = this.keysByDriver.get(driver);
    if (!keys) {
      keys = [...this.api.list('CSINode')].map((node) => topologyKeysOf(node, driver)).find((found) => found.length > 0) ?? [];
      this.keysByDriver.set(driver, keys);
    }
    return keys;
  }

  private places(keys: readonly string[]): readonly StringMap[] {
    const id = keys.join(',');
    let places = this.placesByKeys.get(id);
    if (!places) {
      places = sortedUnique([...this.api.list('Node')].map((node) => placeOf(node.metadata.labels ?? {}, keys)).filter((place) => place !== undefined));
      this.placesByKeys.set(id, places);
    }
    return places;
  }
}

function topologyKeysOf(node: CSINode | undefined, driver: string): readonly string[] {
  return node?.spec.drivers?.find((entry) => entry.name === driver)?.topologyKeys ?? [];
}

/** The place that labels name, or undefined when a key is missing. */
function placeOf(labels: StringMap, keys: readonly string[]): StringMap | undefined {
  const place: Record<string, string> = {};
  for (const key of keys.toSorted()) {
    const value = labels[key];
    if (value === undefined) return undefined;
    place[key] = value;
  }
  return place;
}

/** Every combination of values that allowedTopologies lists: terms are alternatives, the keys of a term hold together. @modelled ref 4.4 */
function flatten(terms: NonNullable<StorageClass['allowedTopologies']>): StringMap[] {
  return terms.flatMap((term) =>
    (term.matchLabelExpressions ?? []).reduce<StringMap[]>(
      (places, { key, values }) => (places.length === 0 ? values.map((value) => ({ [key]: value })) : values.flatMap((value) => places.map((place) => ({ ...place, [key]: value })))),
      [],
    ),
  );
}

/** Terms with fewer keys first, then by keys and values (topologyTerm.compare). */
function sortedUnique(places: readonly StringMap[]): readonly StringMap[] {
  const byText = new Map(places.map((place) => [termText(place), place]));
  return [...byText].toSorted(([a, left], [b, right]) => Object.keys(left).length - Object.keys(right).length || (a < b ? -1 : 1)).map(([, place]) => place);
}

function termText(place: StringMap): string {
  return Object.entries(place)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}\u0000${value}`)
    .join('\u0001');
}

function rotate<T>(items: readonly T[], first: number): readonly T[] {
  return [...items.slice(first), ...items.slice(0, first)];
}

/**
 * Which place a claim's name picks: a hash of the name, so that claims spread; of `CLAIM-SET-ORDINAL` only SET is hashed
 * and the ordinal added, so that the claims of one StatefulSet go round the places (getPVCNameHashAndIndexOffset).
 * @recorded #statefulset-templates
 */
function spreadingIndex(claimName: string): number {
  const match = /^(.*)-(\d+)$/.exec(claimName);
  const ordinal = match?.[2] === undefined ? undefined : Number(match[2]);
  if (ordinal === undefined || ordinal > 0xffffffff) return fnv32(claimName);
  const prefix = match?.[1] ?? '';
  return (fnv32(prefix.slice(prefix.lastIndexOf('-') + 1)) + ordinal) % 0x100000000;
}

/** FNV-1, 32 bits (Go hash/fnv New32). */
function fnv32(text: string): number {
  let hash = 2166136261;
  // Names of objects are ASCII, so that their characters are their bytes.
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 16777619) ^ text.charCodeAt(i)) >>> 0;
  return hash;
}

/** A map as Go's %v prints it: keys sorted. */
function goMap(map: StringMap): string {
  return `map[${Object.keys(map).toSorted().map((key) => `${key}:${map[key] ?? ''}`).join(' ')}]`;
}
function goTerm(place: StringMap): string {
  return `[${Object.entries(place).map(([key, value]) => `{${key} ${value}}`).join(' ')}]`;
}

/** The node affinity of a volume that can be reached from these places; undefined when it can be reached from everywhere (GenerateVolumeNodeAffinity). @recorded #zone-mismatch-immediate */
export function volumeNodeAffinity(places: readonly StringMap[]): PersistentVolume['spec']['nodeAffinity'] {
  if (places.length === 0) return undefined;
  return {
    required: {
      nodeSelectorTerms: places
        .filter((place) => Object.keys(place).length > 0)
        .map((place) => ({ matchExpressions: Object.entries(place).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] })) })),
    },
  };
}
