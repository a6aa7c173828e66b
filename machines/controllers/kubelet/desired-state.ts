/** Desired state of world: the volumes that the node's pods want mounted (kubelet/volumemanager/cache, v1.35; ref 7). */
import type { PodVolume } from './volume-spec.ts';

export interface WantedPod {
  readonly uid: string;
  readonly volume: PodVolume;
}

export interface WantedVolume {
  readonly uniqueName: string;
  readonly attachable: boolean;
  /**
   * The node status listed the volume in use since it entered the desired state: only then is the attachment looked at.
   * A volume that leaves and comes back waits for the next node status again.
   * @recorded #immediate-happy, #pod-recreate
   */
  reportedInUse: boolean;
  readonly pods: Map<string, WantedPod>;
}

export class DesiredState {
  private readonly volumes = new Map<string, WantedVolume>();
  /** By pod, then by the name in its spec: what that name meant last. */
  private readonly namesOfPod = new Map<string, Map<string, PodVolume>>();
  /** By pod: everything it ever wanted; a name may have come to mean another volume. */
  private readonly volumesOfPod = new Map<string, Map<string, PodVolume>>();

  add(uid: string, volume: PodVolume): WantedVolume {
    const known = this.volumes.get(volume.uniqueName);
    const wanted = known ?? { uniqueName: volume.uniqueName, attachable: volume.attachable, reportedInUse: false, pods: new Map<string, WantedPod>() };
    this.volumes.set(volume.uniqueName, wanted);
    wanted.pods.set(uid, { uid, volume });
    const names = this.namesOfPod.get(uid) ?? new Map<string, PodVolume>();
    this.namesOfPod.set(uid, names.set(volume.name, volume));
    const all = this.volumesOfPod.get(uid) ?? new Map<string, PodVolume>();
    this.volumesOfPod.set(uid, all.set(volume.uniqueName, volume));
    return wanted;
  }

  /** Removes everything that a pod wants; returns it. */
  removePod(uid: string): readonly PodVolume[] {
    const removed = [...(this.volumesOfPod.get(uid)?.values() ?? [])];
    this.volumesOfPod.delete(uid);
    this.namesOfPod.delete(uid);
    for (const { uniqueName } of removed) {
      const wanted = this.volumes.get(uniqueName);
      wanted?.pods.delete(uid);
      if (wanted?.pods.size === 0) this.volumes.delete(uniqueName);
    }
    return removed;
  }

  get(uniqueName: string): WantedVolume | undefined {
    return this.volumes.get(uniqueName);
  }
  /** The volume that a pod wants under the name of its spec. */
  ofPod(uid: string, name: string): PodVolume | undefined {
    return this.namesOfPod.get(uid)?.get(name);
  }
  all(): IterableIterator<WantedVolume> {
    return this.volumes.values();
  }
}
