/**
 * What the kubelet of a node knows of its volumes: the desired and the actual state of world, one record for both
 * (kubelet/volumemanager/cache, v1.35; ref 7).
 */
import { VolumeOperations } from '../../kernel/pending-operations.ts';
import { appended } from '../../model/values.ts';
import type { ProjectedTree } from '../../process/filesystem.ts';
import type { DeviceLane } from './charts.ts';
import type { CsiNames } from './csi-plugin.ts';
import type { ManagedPod, NamedVolume } from './managed-pod.ts';
import type { VolumeContent } from './volume-content.ts';
import type { PodVolume } from './volume-spec.ts';

/** `uncertain`: the last call ended without a final answer, so it may have worked (ref 7.2). */
export type MountState = 'no' | 'yes' | 'uncertain';

/** A volume on the node: a device that pods share, or what is one pod's own. */
export class NodeVolume {
  /** As one of its pods sees it; enough to unstage it. */
  volume: PodVolume;
  /** The pods that want it, in the order in which they began to. */
  wanted: readonly PodMount[] = NONE;
  /**
   * The node status listed the volume in use since it entered the desired state: only then is the attachment looked at.
   * A volume that leaves and comes back waits for the next node status again.
   * @recorded #immediate-happy, #pod-recreate
   */
  reportedInUse = false;
  /** The node's volumesAttached has it, as far as the kubelet has heard. */
  listedAttached = false;
  /** It is attached to the node, or needs no attaching: it is in the actual state. */
  attached = false;
  staged: MountState = 'no';
  /** The pods into which it is mounted, or perhaps mounted. */
  mounted: readonly PodMount[] = NONE;
  /** The reconciler will look at it. */
  touched = false;
  readonly operations = new VolumeOperations();
  /** Of a volume with a step for the whole node, from the first try on. */
  deviceLane: DeviceLane | undefined;
  /** Of a CSI volume, from the first call on. */
  csi: CsiNames | undefined;

  constructor(volume: PodVolume) {
    this.volume = volume;
  }

  get isWanted(): boolean {
    return this.wanted.length > 0;
  }

  want(mount: PodMount): void {
    if (mount.wanted) return;
    if (!this.isWanted) this.reportedInUse = false;
    mount.wanted = true;
    this.wanted = withMount(this.wanted, mount);
  }
  unwant(mount: PodMount): void {
    mount.wanted = false;
    this.wanted = withoutMount(this.wanted, mount);
  }

  /** It is mounted, or perhaps mounted, into the pod. */
  mount(mount: PodMount, state: Exclude<MountState, 'no'>): void {
    if (mount.mounted === 'no') this.mounted = withMount(this.mounted, mount);
    mount.mounted = state;
    mount.remount = false;
    mount.resize = false;
  }
  unmount(mount: PodMount): void {
    if (mount.mounted !== 'no') this.mounted = withoutMount(this.mounted, mount);
    mount.mounted = 'no';
  }
}

/** A volume in a pod. */
export class PodMount {
  readonly pod: ManagedPod;
  readonly of: NodeVolume;
  /** As the pod's spec means it now. */
  volume: PodVolume;
  /** The name in the spec that meant it last. */
  name: NamedVolume;
  wanted = false;
  mounted: MountState = 'no';
  remount = false;
  resize = false;
  /** What the containers find in it; undefined while it is not mounted. */
  content: VolumeContent | undefined;
  /** The files of a volume that shows objects of the API, which one mount after the other renews. */
  files: ProjectedTree | undefined;

  constructor(pod: ManagedPod, of: NodeVolume, volume: PodVolume, name: NamedVolume) {
    this.pod = pod;
    this.of = of;
    this.volume = volume;
    this.name = name;
  }
}

const NONE: readonly PodMount[] = [];

function withMount(mounts: readonly PodMount[], mount: PodMount): readonly PodMount[] {
  return mounts.length === 0 ? [mount] : appended(mounts, mount);
}

function withoutMount(mounts: readonly PodMount[], mount: PodMount): readonly PodMount[] {
  const left = mounts.filter((other) => other !== mount);
  return left.length === 0 ? NONE : left;
}
