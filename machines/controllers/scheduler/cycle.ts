/** What the plugins of one attempt tell each other (framework/cycle_state.go, v1.35). */
import type { PersistentVolume, PersistentVolumeClaim } from '../../model/objects.ts';
import type { ClusterView } from './cluster-view.ts';
import type { PodInfo } from './pod-info.ts';
import type { AffinityState } from './plugins/inter-pod-affinity.ts';
import type { SpreadState } from './plugins/pod-topology-spread.ts';
import type { FilterPlugin } from './plugin.ts';
import type { CountedVolume } from './volume-ledger.ts';

/** The pod's claims by what VolumeBinding does with them. */
export interface PodClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** Unbound, of a class that waits for its first consumer: the scheduler's own work. */
  readonly delayed: readonly PersistentVolumeClaim[];
  /** For each of the latter, by uid: the existing volumes that come into question. */
  readonly candidates: ReadonlyMap<string, readonly PersistentVolume[]>;
}

/** What VolumeBinding would do if the pod went to one node. */
export interface PodVolumes {
  readonly staticBindings: readonly { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume }[];
  readonly provisions: readonly PersistentVolumeClaim[];
}

/** A zone or region that a volume's labels demand of the node. */
export interface ZoneDemand {
  readonly volume: string;
  readonly key: string;
  readonly values: readonly string[];
}

const NO_CLAIMS: ReadonlySet<string> = new Set();
const NOTHING_CLAIMED: PodClaims = { bound: [], delayed: [], candidates: new Map() };

export class Cycle {
  readonly pod: PodInfo;
  readonly view: ClusterView;
  /** The plugins that have something to check for this pod, in their order. */
  checks: readonly FilterPlugin[];
  /** ReadWriteOncePod claims of the pod, and how often pods on nodes use one of them. */
  rwopClaims: ReadonlySet<string> = NO_CLAIMS;
  rwopConflicts = 0;
  claims: PodClaims = NOTHING_CLAIMED;
  /** What the pod's claims count as against a node's volume limits. */
  volumes: readonly CountedVolume[] = [];
  readonly podVolumes: Map<string, PodVolumes>;
  zoneDemands: readonly ZoneDemand[] = [];
  affinity: AffinityState | undefined;
  spread: SpreadState | undefined;

  constructor(pod: PodInfo, view: ClusterView, from?: Cycle) {
    this.pod = pod;
    this.view = view;
    this.checks = from?.checks ?? [];
    this.podVolumes = from?.podVolumes ?? new Map();
  }

  /** A copy for trying out other pods on a node; what does not depend on other pods is shared. */
  clone(): Cycle {
    const copy = new Cycle(this.pod, this.view, this);
    copy.rwopClaims = this.rwopClaims;
    copy.rwopConflicts = this.rwopConflicts;
    copy.claims = this.claims;
    copy.volumes = this.volumes;
    copy.zoneDemands = this.zoneDemands;
    copy.affinity = this.affinity?.clone();
    copy.spread = this.spread?.clone();
    return copy;
  }
}
