/** What the filters may look at. The running scheduler answers from its cache, `explainFilters` from a list of objects. */
import type { CSIDriver, CSINode, PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../model/objects.ts';
import type { NodeInfo } from './node-info.ts';

export interface StorageView {
  /** By `namespace/name`. */
  claim(key: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  storageClass(name: string): StorageClass | undefined;
  csiNode(name: string): CSINode | undefined;
  csiDriver(name: string): CSIDriver | undefined;
  /** Volumes of the class that no claim is written on. */
  freeVolumes(className: string): readonly PersistentVolume[];
  /** Volumes whose claimRef names `namespace/name`, whatever the UID. */
  volumesNaming(claim: string): readonly PersistentVolume[];
}

export interface ClusterView {
  readonly storage: StorageView;
  /** Nodes that have an object, in the order in which the search starts. */
  nodes(): readonly NodeInfo[];
  node(name: string): NodeInfo | undefined;
  /** How many pods on nodes name this claim (`namespace/name`). */
  claimUsers(claim: string): number;
  /** Nodes with pods that keep others away (required anti-affinity). */
  nodesWithAntiAffinity(): readonly NodeInfo[];
}
