/** A pod as the volume manager knows it (kubelet/volumemanager, v1.35; ref 7). */
import type { Pod } from '../../model/objects.ts';
import { appended } from '../../model/values.ts';
import type { VolumeLane } from './charts.ts';
import type { PodMount } from './node-volume.ts';
import { volumeUses, type PodVolume, type VolumeUse } from './volume-spec.ts';

/** A name under which the pod's containers use a volume. */
export class NamedVolume {
  use: VolumeUse;
  /** What the name means; undefined until that entered the desired state. */
  mount: PodMount | undefined;
  /** What the volume has come to; one state for the name, whatever it means. */
  lane: VolumeLane | undefined;

  constructor(use: VolumeUse) {
    this.use = use;
  }

  get isMounted(): boolean {
    return this.mount?.mounted === 'yes';
  }
  /** It waits for the attach-detach controller. */
  get awaitsAttach(): boolean {
    return this.mount?.volume.attachable === true && !this.mount.of.attached;
  }
}

/** Who waits for a pod's volumes. */
export interface VolumesWaiting {
  changed(): void;
}

export class ManagedPod {
  pod: Pod;
  /** The names that its containers use, sorted. */
  names: readonly NamedVolume[];
  /** Everything it ever wanted; a name may have come to mean another volume. */
  mounts: readonly PodMount[] = NO_MOUNTS;
  /** Undefined once nobody waits any more. */
  private waiting: VolumesWaiting | undefined;
  /** Every volume has entered the desired state at least once. */
  seen = false;
  /** The populator will look at it. */
  queued = false;
  /** Its containers are gone: it will want nothing again. */
  released = false;
  /** The pod is gone altogether. */
  forgotten = false;
  /** Why volumes could not enter the desired state. */
  errors: ReadonlySet<string> = NO_ERRORS;
  /** How often its raw block volumes were refused on this node. */
  refusals = 0;

  constructor(pod: Pod, waiting: VolumesWaiting) {
    this.pod = pod;
    this.waiting = waiting;
    this.names = volumeUses(pod).map((use) => new NamedVolume(use));
  }

  get uid(): string {
    return this.pod.metadata.uid;
  }

  /** Something about the pod's volumes changed. */
  changed(): void {
    this.waiting?.changed();
  }

  /** The wait is over. */
  waitedFor(waiting: VolumesWaiting): void {
    if (this.waiting === waiting) this.waiting = undefined;
  }

  update(pod: Pod, waiting: VolumesWaiting): void {
    if (this.pod.spec !== pod.spec) this.names = volumeUses(pod).map((use) => this.renewed(use));
    this.pod = pod;
    this.waiting = waiting;
  }

  private renewed(use: VolumeUse): NamedVolume {
    const known = this.named(use.name);
    if (known) known.use = use;
    return known ?? new NamedVolume(use);
  }

  named(name: string): NamedVolume | undefined {
    for (const known of this.names) if (known.use.name === name) return known;
    return undefined;
  }

  /** The volume that it wanted or wants and that is the same as this one; two of its names may mean one volume. */
  mountOf(volume: PodVolume): PodMount | undefined {
    for (const known of this.mounts) if (isSame(known.volume, volume)) return known;
    return undefined;
  }

  add(mount: PodMount): void {
    this.mounts = this.mounts.length === 0 ? [mount] : appended(this.mounts, mount);
  }

  /** Every volume that its containers use is mounted. */
  get allMounted(): boolean {
    for (const name of this.names) if (!name.isMounted) return false;
    return true;
  }
  /** Nothing is, or may be, mounted into it. */
  get allUnmounted(): boolean {
    for (const { mounted } of this.mounts) if (mounted !== 'no') return false;
    return true;
  }

  /** The errors since the last call, sorted (PopPodErrors). While the first processing fails, it fails every 100 ms anew. */
  popErrors(): readonly string[] {
    const { errors } = this;
    if (errors.size === 0) return NONE;
    if (this.seen) this.errors = NO_ERRORS;
    return [...errors].toSorted();
  }
}

function isSame(a: PodVolume, b: PodVolume): boolean {
  if (a === b) return true;
  if (a.uniqueName !== undefined || b.uniqueName !== undefined) return a.uniqueName === b.uniqueName;
  return a.specName === b.specName && a.source.kind === b.source.kind;
}

export const NO_ERRORS: ReadonlySet<string> = new Set();
const NO_MOUNTS: readonly PodMount[] = [];
const NONE: readonly string[] = [];
