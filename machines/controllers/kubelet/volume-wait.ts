/** A pod's sync waits until its volumes are mounted (volume_manager.go WaitForAttachAndMount, v1.35; ref 7.1). */
import { timings } from '../../kernel/timings.ts';
import type { Pod } from '../../model/objects.ts';
import type { KubeletEnvironment } from './environment.ts';
import type { ManagedPod, NamedVolume } from './managed-pod.ts';
import type { NodeTimer } from './node-clock.ts';

export interface VolumeWait {
  /** The pod is to be stopped: no more waiting. */
  cancel(): void;
}
export type WaitResult = 'mounted' | 'failed' | 'cancelled' | { readonly rejected: { readonly reason: string; readonly message: string } };

/**
 * Looks at once and then every 0.3 s. Volumes that could not even enter the desired state end the wait with an event;
 * after 2 m 3 s it ends without one.
 * @recorded #immediate-happy, #block-as-filesystem
 */
export function waitForVolumes(env: KubeletEnvironment, pod: Pod, done: (result: WaitResult) => void): VolumeWait {
  const { clock, volumes } = env;
  const started = clock.now;
  let over = false;
  let next: NodeTimer | undefined;
  let timeout: NodeTimer | undefined;

  function finish(result: WaitResult): void {
    if (over) return;
    over = true;
    next?.cancel();
    timeout?.cancel();
    done(result);
  }
  function look(): void {
    next = undefined;
    const errors = managed.popErrors();
    if (errors.length > 0) {
      tellProcessingErrors(env, pod, managed, errors);
      finish('failed');
    } else if (managed.allMounted) finish('mounted');
  }
  /** Something about the volumes changed: the next look, on its 0.3 s grid, may find them mounted. */
  function changed(): void {
    if (over || next) return;
    const passed = Math.floor((clock.now - started) / timings.volumeWaitPoll) + 1;
    next = clock.after(started + passed * timings.volumeWaitPoll - clock.now, look);
  }

  const managed = volumes.process(pod, changed);
  look();
  if (!over) timeout = clock.after(timings.volumeWaitTimeout, () => finish(volumes.attachLimitReached(managed) ? { rejected: attachLimit(managed) } : 'failed'));
  return { cancel: () => finish('cancelled') };
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
