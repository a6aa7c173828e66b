/** What the API server knows of each kind: API group and version, plural, whether it lives in a namespace. */
import type { Kind } from './objects.ts';

export interface KindInfo {
  readonly apiVersion: string;
  readonly plural: string;
  readonly singular: string;
  readonly short: readonly string[];
  readonly namespaced: boolean;
  /** False for kinds that the recorder does not watch (traces' README): their writes are no trace records. */
  readonly recorded?: false;
}

export const KINDS: Readonly<Record<Kind, KindInfo>> = {
  Event: { apiVersion: 'v1', plural: 'events', singular: 'event', short: ['ev'], namespaced: true },
  PersistentVolumeClaim: { apiVersion: 'v1', plural: 'persistentvolumeclaims', singular: 'persistentvolumeclaim', short: ['pvc'], namespaced: true },
  PersistentVolume: { apiVersion: 'v1', plural: 'persistentvolumes', singular: 'persistentvolume', short: ['pv'], namespaced: false },
  Pod: { apiVersion: 'v1', plural: 'pods', singular: 'pod', short: ['po'], namespaced: true },
  VolumeAttachment: { apiVersion: 'storage.k8s.io/v1', plural: 'volumeattachments', singular: 'volumeattachment', short: ['va'], namespaced: false },
  StorageClass: { apiVersion: 'storage.k8s.io/v1', plural: 'storageclasses', singular: 'storageclass', short: ['sc'], namespaced: false },
  Node: { apiVersion: 'v1', plural: 'nodes', singular: 'node', short: ['no'], namespaced: false },
  CSINode: { apiVersion: 'storage.k8s.io/v1', plural: 'csinodes', singular: 'csinode', short: [], namespaced: false },
  CSIDriver: { apiVersion: 'storage.k8s.io/v1', plural: 'csidrivers', singular: 'csidriver', short: [], namespaced: false },
  Secret: { apiVersion: 'v1', plural: 'secrets', singular: 'secret', short: [], namespaced: true },
  ConfigMap: { apiVersion: 'v1', plural: 'configmaps', singular: 'configmap', short: ['cm'], namespaced: true },
  StatefulSet: { apiVersion: 'apps/v1', plural: 'statefulsets', singular: 'statefulset', short: ['sts'], namespaced: true },
  Deployment: { apiVersion: 'apps/v1', plural: 'deployments', singular: 'deployment', short: ['deploy'], namespaced: true },
  ReplicaSet: { apiVersion: 'apps/v1', plural: 'replicasets', singular: 'replicaset', short: ['rs'], namespaced: true },
  PriorityClass: { apiVersion: 'scheduling.k8s.io/v1', plural: 'priorityclasses', singular: 'priorityclass', short: ['pc'], namespaced: false },
  Lease: { apiVersion: 'coordination.k8s.io/v1', plural: 'leases', singular: 'lease', short: [], namespaced: true, recorded: false },
  ControllerRevision: { apiVersion: 'apps/v1', plural: 'controllerrevisions', singular: 'controllerrevision', short: [], namespaced: true, recorded: false },
  PodDisruptionBudget: { apiVersion: 'policy/v1', plural: 'poddisruptionbudgets', singular: 'poddisruptionbudget', short: ['pdb'], namespaced: true, recorded: false },
};

/** The kind that a kubectl resource word names (`pvc`, `pods`, `volumeattachment.storage.k8s.io`), or undefined. */
export function kindOfWord(word: string): Kind | undefined {
  const bare = (word.split('.')[0] ?? word).toLowerCase();
  for (const [kind, info] of Object.entries(KINDS) as [Kind, KindInfo][]) {
    if (bare === info.plural || bare === info.singular || info.short.includes(bare)) return kind;
  }
  return undefined;
}
