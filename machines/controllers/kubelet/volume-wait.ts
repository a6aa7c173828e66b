/** A pod's sync waits until its volumes are mounted (volume_manager.go WaitForAttachAndMount, v1.35; ref 7.1). */
import { timings } from '../../kernel/timings.ts';
import type { Pod } from '../../model/objects.ts';
import type { KubeletEnvironment } from './environment.ts';
import type { ManagedPod, NamedVolume } from './managed-pod.ts';
import type { NodeTimer } from './node-clock.ts';

export type WaitResult = 'mounted' | 'failed' | 'cancelled' | { readonly rejected: { readonly reason: string; readonly message: string } };

/**
 * Looks at once and then every 0.3 s. Volumes that could not even enter the desired state end the wait with an event;
 * after 2 m 3 s it ends without one.
 * @recorded #immediate-happy, #block-as-filesystem
 */
export class VolumeWait {
  private readonly env: KubeletEnvironment;
  private readonly pod: Pod;
  private readonly done: (result: WaitResult) => void;
  private readonly managed: ManagedPod;
  private readonly started: number;
  private over = false;
  private next: NodeTimer | undefined;
  private timeout: NodeTimer | undefined;

  constructor(env: KubeletEnvironment, pod: Pod, done: (result: WaitResult) => void) {
    this.env = env;
    this.pod = pod;
    this.done = done;
    this.started = env.clock.now;
    this.managed = env.volumes.process(pod, this);
  }

  /** The first look, which may end it. */
  begin(): void {
    this.look();
    if (!this.over) this.timeout = this.env.clock.after(timings.volumeWaitTimeout, () => this.giveUp());
  }

  /** The pod is to be stopped: no more waiting. */
  cancel(): void {
    this.finish('cancelled');
  }

  /** Something about the volumes changed: the next look, on its 0.3 s grid, may find them mounted. */
  changed(): void {
    if (this.over || this.next) return;
    const { clock } = this.env;
    const passed = Math.floor((clock.now - this.started) / timings.volumeWaitPoll) + 1;
    this.next = clock.after(this.started + passed * timings.volumeWaitPoll - clock.now, () => this.look());
  }

  private look(): void {
    this.next = undefined;
    const errors = this.managed.popErrors();
    if (errors.length > 0) {
      tellProcessingErrors(this.env, this.pod, this.managed, errors);
      this.finish('failed');
    } else if (this.managed.allMounted) this.finish('mounted');
  }

  private giveUp(): void {
    this.finish(this.env.volumes.attachLimitReached(this.managed) ? { rejected: attachLimit(this.managed) } : 'failed');
  }

  private finish(result: WaitResult): void {
    if (this.over) return;
    this.over = true;
    this.next?.cancel();
    this.timeout?.cancel();
    this.managed.waitedFor(this);
    this.done(result);
  }
}

/** @recorded #block-as-filesystem */
function tellProcessingErrors(env: KubeletEnvironment, pod: Pod, managed: ManagedPod, errors: readonly string[]): void {
  env.recorder.event(pod, 'Warning', 'FailedMount', `Unable to attach or mount volumes: ${volumeLists(managed)}: ${errors.join('; ')}`);
}

/** The node takes no further volume, as its driver said; only drivers that keep their count fresh make that final. @modelled ref 7.1 */
function attachLimit(managed: ManagedPod): { readonly reason: string; readonly message: string } {
  return { reason: 'VolumeAttachmentLimitExceeded', message: `Node has reached its volume attachment limit, rejecting pod. ${volumeLists(managed)}: context deadline exceeded` };
}

/** The volumes that are not mounted, of those the ones that wait for their attachment, and those that did not even enter the desired state. */
function volumeLists({ names }: ManagedPod): string {
  const list = (which: (name: NamedVolume) => boolean): string => `[${names.filter(which).map(({ use }) => use.name).join(' ')}]`;
  return `unmounted volumes=${list((name) => !name.isMounted)}, unattached volumes=${list((name) => name.awaitsAttach)}, failed to process volumes=${list((name) => !name.mount)}`;
}
