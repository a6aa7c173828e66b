/** A pod's sync waits until its volumes are mounted (volume_manager.go WaitForAttachAndMount, v1.35; ref 7.1). */
import { timings } from '../../kernel/timings.ts';
import type { Pod } from '../../model/objects.ts';
import type { KubeletEnvironment } from './environment.ts';
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
  const uid = pod.metadata.uid;
  const started = clock.now;
  let over = false;
  let next: NodeTimer | undefined;

  function finish(result: WaitResult): void {
    if (over) return;
    over = true;
    next?.cancel();
    timeout.cancel();
    done(result);
  }
  function look(): void {
    next = undefined;
    const errors = volumes.popErrors(uid);
    if (errors.length > 0) {
      tellProcessingErrors(env, pod, errors);
      finish('failed');
    } else if (volumes.allMounted(pod)) finish('mounted');
  }
  /** Something about the volumes changed: the next look, on its 0.3 s grid, may find them mounted. */
  function changed(): void {
    if (over || next) return;
    const passed = Math.floor((clock.now - started) / timings.volumeWaitPoll) + 1;
    next = clock.after(started + passed * timings.volumeWaitPoll - clock.now, look);
  }

  const timeout = clock.after(timings.volumeWaitTimeout, () => finish(volumes.attachLimitReached(pod) ? { rejected: attachLimit(env, pod) } : 'failed'));
  volumes.process(pod, changed);
  look();
  return { cancel: () => finish('cancelled') };
}

/** @recorded #block-as-filesystem */
function tellProcessingErrors(env: KubeletEnvironment, pod: Pod, errors: readonly string[]): void {
  env.recorder.event(pod, 'Warning', 'FailedMount', `Unable to attach or mount volumes: ${volumeLists(env, pod)}: ${errors.join('; ')}`);
}

/** The node takes no further volume, as its driver said; only drivers that keep their count fresh make that final. @modelled ref 7.1 */
function attachLimit(env: KubeletEnvironment, pod: Pod): { readonly reason: string; readonly message: string } {
  return { reason: 'VolumeAttachmentLimitExceeded', message: `Node has reached its volume attachment limit, rejecting pod. ${volumeLists(env, pod)}: context deadline exceeded` };
}

function volumeLists({ volumes }: KubeletEnvironment, pod: Pod): string {
  const list = (names: readonly string[]): string => `[${names.join(' ')}]`;
  return `unmounted volumes=${list(volumes.unmounted(pod))}, unattached volumes=${list(volumes.unattached(pod))}, failed to process volumes=${list(volumes.unprocessed(pod))}`;
}
