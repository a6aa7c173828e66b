/** The resource types kubectl knows here: their names on the command line and in messages. */
import type { Kind } from '../model/objects.ts';

export interface Resource {
  readonly kind: Kind;
  /** Plural, lower case, as in the API's path. */
  readonly plural: string;
  /** API group; empty for the core group. */
  readonly group: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
}

const RESOURCES: readonly Resource[] = [
  { kind: 'Pod', plural: 'pods', group: '', shortNames: ['po'], namespaced: true },
  { kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', group: '', shortNames: ['pvc'], namespaced: true },
  { kind: 'PersistentVolume', plural: 'persistentvolumes', group: '', shortNames: ['pv'], namespaced: false },
  { kind: 'Node', plural: 'nodes', group: '', shortNames: ['no'], namespaced: false },
  { kind: 'Event', plural: 'events', group: '', shortNames: ['ev'], namespaced: true },
  { kind: 'Secret', plural: 'secrets', group: '', shortNames: [], namespaced: true },
  { kind: 'ConfigMap', plural: 'configmaps', group: '', shortNames: ['cm'], namespaced: true },
  { kind: 'Deployment', plural: 'deployments', group: 'apps', shortNames: ['deploy'], namespaced: true },
  { kind: 'ReplicaSet', plural: 'replicasets', group: 'apps', shortNames: ['rs'], namespaced: true },
  { kind: 'StatefulSet', plural: 'statefulsets', group: 'apps', shortNames: ['sts'], namespaced: true },
  { kind: 'StorageClass', plural: 'storageclasses', group: 'storage.k8s.io', shortNames: ['sc'], namespaced: false },
  { kind: 'VolumeAttachment', plural: 'volumeattachments', group: 'storage.k8s.io', shortNames: [], namespaced: false },
  { kind: 'CSINode', plural: 'csinodes', group: 'storage.k8s.io', shortNames: [], namespaced: false },
  { kind: 'CSIDriver', plural: 'csidrivers', group: 'storage.k8s.io', shortNames: [], namespaced: false },
  { kind: 'PriorityClass', plural: 'priorityclasses', group: 'scheduling.k8s.io', shortNames: ['pc'], namespaced: false },
  { kind: 'Lease', plural: 'leases', group: 'coordination.k8s.io', shortNames: [], namespaced: true },
  { kind: 'ControllerRevision', plural: 'controllerrevisions', group: 'apps', shortNames: [], namespaced: true },
];

/** What `kubectl get all` asks for, of the types there are here. */
const CATEGORY_ALL = ['pods', 'deployments', 'replicasets', 'statefulsets'] as const;

/** Kinds in the words of a manifest, an event or an owner reference. */
export function resourceOfKind(kind: Kind): Resource {
  const resource = RESOURCES.find((candidate) => candidate.kind === kind);
  if (resource === undefined) throw new Error(`kubectl: no resource for kind ${kind}`);
  return resource;
}

/** The resource types that a word on the command line names; undefined when the API server has no such type. */
export function resourcesNamed(word: string): readonly Resource[] | undefined {
  if (word.toLowerCase() === 'all') return CATEGORY_ALL.map((plural) => resourceByPlural(plural));
  const [name = '', ...groupParts] = word.toLowerCase().split('.');
  const group = groupParts.join('.');
  const found = RESOURCES.find((resource) => matches(resource, name) && (group === '' || matchesGroup(resource, group)));
  return found === undefined ? undefined : [found];
}

function resourceByPlural(plural: string): Resource {
  const found = RESOURCES.find((resource) => resource.plural === plural);
  if (found === undefined) throw new Error(`kubectl: no resource ${plural}`);
  return found;
}

function matches(resource: Resource, name: string): boolean {
  return resource.plural === name || resource.kind.toLowerCase() === name || resource.shortNames.includes(name);
}

/** `deployments.apps` and `deployments.v1.apps` both name the group. */
function matchesGroup(resource: Resource, group: string): boolean {
  return resource.group === group || group === 'v1' || group === `v1.${resource.group}`;
}

/** `persistentvolumeclaims`, `volumeattachments.storage.k8s.io`: the type as error messages name it. */
export function qualifiedPlural(resource: Resource): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** `pod`, `volumeattachment.storage.k8s.io`: the prefix of a name in a list of several kinds. */
export function qualifiedSingular(resource: Resource): string {
  const singular = resource.kind.toLowerCase();
  return resource.group === '' ? singular : `${singular}.${resource.group}`;
}
