/** Actual state of world: what is attached, staged and published on the node (kubelet/volumemanager/cache, v1.35; ref 7). */
import { SmallMap } from '../../model/small-map.ts';
import type { PodVolume } from './volume-spec.ts';

/** `uncertain`: the last call ended without a final answer, so it may have worked (ref 7.2). */
export type MountState = 'no' | 'yes' | 'uncertain';

export interface MountedPod {
  readonly uid: string;
  readonly volume: PodVolume;
  mounted: Exclude<MountState, 'no'>;
  remount: boolean;
  resize: boolean;
}

export interface ActualVolume {
  readonly uniqueName: string;
  readonly attachable: boolean;
  /** As any of its pods sees it; enough to unstage it. */
  readonly volume: PodVolume;
  staged: MountState;
  /** Changed by `ActualState` only. */
  readonly pods: SmallMap<MountedPod>;
}

export class ActualState {
  private readonly volumes = new Map<string, ActualVolume>();
  private readonly volumesOfPod = new Map<string, SmallMap<true>>();

  /** The volume is attached to the node, or needs no attaching. */
  attach(volume: PodVolume): ActualVolume {
    const { uniqueName, attachable } = volume;
    let made = this.volumes.get(uniqueName);
    if (!made) this.volumes.set(uniqueName, (made = { uniqueName, attachable, volume, staged: 'no', pods: new SmallMap() }));
    return made;
  }

  /** The volume is mounted, or perhaps mounted, into the pod. */
  mount(uniqueName: string, mounted: MountedPod): void {
    this.volumes.get(uniqueName)?.pods.set(mounted.uid, mounted);
    let names = this.volumesOfPod.get(mounted.uid);
    if (!names) this.volumesOfPod.set(mounted.uid, (names = new SmallMap()));
    names.set(uniqueName, true);
  }
  unmount(uniqueName: string, uid: string): void {
    this.volumes.get(uniqueName)?.pods.delete(uid);
    const names = this.volumesOfPod.get(uid);
    names?.delete(uniqueName);
    if (names?.size === 0) this.volumesOfPod.delete(uid);
  }
  /** True while anything is, or may be, mounted into the pod. */
  hasMounts(uid: string): boolean {
    return this.volumesOfPod.has(uid);
  }

  remove(uniqueName: string): void {
    this.volumes.delete(uniqueName);
  }
  get(uniqueName: string): ActualVolume | undefined {
    return this.volumes.get(uniqueName);
  }
  pod(uniqueName: string, uid: string): MountedPod | undefined {
    return this.volumes.get(uniqueName)?.pods.get(uid);
  }
  all(): IterableIterator<ActualVolume> {
    return this.volumes.values();
  }
}
