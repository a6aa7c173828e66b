/** Desired state of world: the volumes that the node's pods want mounted (kubelet/volumemanager/cache, v1.35; ref 7). */
import { SmallMap } from '../../model/small-map.ts';
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
  readonly pods: SmallMap<WantedPod>;
}

/** What one pod wants. */
interface Wishes {
  /** By the name in its spec: what that name meant last. */
  readonly named: SmallMap<PodVolume>;
  /** Everything it ever wanted; a name may have come to mean another volume. */
  readonly all: SmallMap<PodVolume>;
}

export class DesiredState {
  private readonly volumes = new Map<string, WantedVolume>();
  private readonly wishes = new Map<string, Wishes>();

  add(uid: string, volume: PodVolume): WantedVolume {
    const { uniqueName, attachable } = volume;
    let wanted = this.volumes.get(uniqueName);
    if (!wanted) this.volumes.set(uniqueName, (wanted = { uniqueName, attachable, reportedInUse: false, pods: new SmallMap() }));
    wanted.pods.set(uid, { uid, volume });
    let wishes = this.wishes.get(uid);
    if (!wishes) this.wishes.set(uid, (wishes = { named: new SmallMap(), all: new SmallMap() }));
    wishes.named.set(volume.name, volume);
    wishes.all.set(uniqueName, volume);
    return wanted;
  }

  /** Removes everything that a pod wants; returns it. */
  removePod(uid: string): readonly PodVolume[] {
    const removed = this.wishes.get(uid)?.all.values() ?? [];
    this.wishes.delete(uid);
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
    return this.wishes.get(uid)?.named.get(name);
  }
  all(): IterableIterator<WantedVolume> {
    return this.volumes.values();
  }
}
