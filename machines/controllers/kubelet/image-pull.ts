/** Images of a pod's containers (pkg/kubelet/images/image_manager.go, v1.35). */
import { timings } from '../../kernel/timings.ts';
import type { Container, Pod } from '../../model/objects.ts';
import { fullReference } from '../../process/node-images.ts';
import type { KubeletEnvironment } from './environment.ts';

/** Why a container has no image; both are what its waiting state tells. */
export interface ImageProblem {
  readonly reason: 'ErrImageNeverPull' | 'ErrImagePull' | 'ImagePullBackOff';
  readonly message: string;
}

interface BackOff {
  readonly sinceMs: number;
  readonly ms: number;
  readonly message: string;
}

/** What a pod's failed pulls leave behind. */
export class ImagePulls {
  private readonly env: KubeletEnvironment;
  private readonly backOffs = new Map<string, BackOff>();

  constructor(env: KubeletEnvironment) {
    this.env = env;
  }

  /**
   * Gets the image of a container that the node does not hold. No pull succeeds: there is no registry. `done` gets what the
   * container waits for then. What a policy of Never refuses needs no registry to say so.
   * @modelled pkg/kubelet/images/image_manager.go (EnsureImageExists, pullImage), v1.35
   */
  pull(pod: Pod, container: Container, fieldPath: string, done: (problem: ImageProblem) => void): void {
    const { image } = container;
    const tell = (type: 'Normal' | 'Warning', reason: string, message: string): void => this.env.recorder.event(pod, type, reason, message, fieldPath);
    const finish = (problem: ImageProblem): void => {
      tell('Warning', 'Failed', `Error: ${problem.reason}`);
      done(problem);
    };
    const quoted = JSON.stringify(image);
    if (container.imagePullPolicy === 'Never') {
      const message = `Container image ${quoted} is not present with pull policy of Never`;
      tell('Warning', 'ErrImageNeverPull', message);
      finish({ reason: 'ErrImageNeverPull', message });
      return;
    }
    const held = this.heldBack(image);
    if (held) {
      const message = `Back-off pulling image ${quoted}`;
      tell('Normal', 'BackOff', message);
      finish({ reason: 'ImagePullBackOff', message: `${message}: ErrImagePull: ${held.message}` });
      return;
    }
    tell('Normal', 'Pulling', `Pulling image ${quoted}`);
    this.env.clock.after(timings.failedPull, () => {
      const message = whyNoPull(image);
      tell('Warning', 'Failed', `Failed to pull image ${quoted}: ${message}`);
      this.failed(image, message);
      finish({ reason: 'ErrImagePull', message });
    });
  }

  private heldBack(image: string): BackOff | undefined {
    const backOff = this.backOffs.get(image);
    return backOff && this.env.clock.now - backOff.sinceMs < backOff.ms ? backOff : undefined;
  }

  /** 10 s, doubled with each failure up to 5 min; ten minutes after the last failure it begins anew. */
  private failed(image: string, message: string): void {
    const before = this.backOffs.get(image);
    const { now } = this.env.clock;
    const ms = before && now - before.sinceMs <= 2 * timings.crashBackOffMax ? Math.min(2 * before.ms, timings.crashBackOffMax) : timings.crashBackOff;
    this.backOffs.set(image, { sinceMs: now, ms, message });
  }
}

/** Around what the registry would say, the runtime's own words. @modelled github.com/containerd/containerd, client/pull.go */
function whyNoPull(image: string): string {
  const reference = fullReference(image);
  return `rpc error: code = Unknown desc = failed to pull and unpack image "${reference}": failed to resolve reference "${reference}": this simulation has no registry: its nodes hold the image of busybox and no other`;
}
