/**
 * Reserve, PreBind and Unreserve of VolumeBinding (framework/plugins/volumebinding/binder.go AssumePodVolumes,
 * BindPodVolumes, checkBindings, v1.35; ref 3.4).
 */
import { ApiError } from '../../kernel/api-error.ts';
import { referenceTo } from '../../kernel/event-recorder.ts';
import { withAnnotations } from '../../kernel/api-server.ts';
import { timings } from '../../kernel/timings.ts';
import type { Work } from '../../kernel/work-queue.ts';
import type { World } from '../../kernel/world.ts';
import { volumeReachable } from '../../model/node-selector.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../model/objects.ts';
import { keyOfClaim, type SchedulerCache } from './cache.ts';
import type { PodVolumes } from './cycle.ts';
import { isFullyBound, SELECTED_NODE } from './plugins/volume-binding.ts';
import { isVolumeBoundToClaim } from '../claims/matching.ts';

const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';

/** What was decided for a pod on a node; the objects are those to be written. */
export interface AssumedVolumes {
  readonly bindings: { readonly claim: PersistentVolumeClaim; volume: PersistentVolume }[];
  readonly provisions: { claim: PersistentVolumeClaim }[];
}

export class VolumeBinder {
  private readonly world: World;
  private readonly cache: SchedulerCache;

  constructor(world: World, cache: SchedulerCache) {
    this.world = world;
    this.cache = cache;
  }

  /** Counts the decision as done, in memory only. Undefined when all claims are bound already. @recorded #wait-for-first-consumer */
  assume(volumes: PodVolumes | undefined, node: string): AssumedVolumes | undefined {
    if (!volumes || volumes.staticBindings.length + volumes.provisions.length === 0) return undefined;
    const bindings = volumes.staticBindings.map(({ claim, volume }) => {
      const bound = bindVolumeToClaim(volume, claim);
      if (bound !== volume) this.cache.assumeVolume(bound, keyOfClaim(claim));
      return { claim, volume: bound };
    });
    const provisions = volumes.provisions.map((claim) => {
      const promised = withAnnotations(claim, { [SELECTED_NODE]: node });
      this.cache.assumeClaim(promised);
      return { claim: promised };
    });
    return { bindings, provisions };
  }

  /** Takes the decision back, in memory only: what is written in the API stays there. @recorded #bind-reverts */
  revert(volumes: AssumedVolumes): void {
    for (const { claim, volume } of volumes.bindings) this.cache.restoreVolume(volume.metadata.name, keyOfClaim(claim));
    for (const { claim } of volumes.provisions) this.cache.restoreClaim(keyOfClaim(claim));
  }

  /**
   * Writes claimRefs and selected-node annotations, then looks every second whether all claims are bound, for up to
   * `bindTimeoutSeconds`. Ends without a word, or throws an Error with PreBind's text.
   * @recorded #wait-for-first-consumer, #bind-reverts
   */
  *bind(pod: Pod, node: string, volumes: AssumedVolumes): Work {
    for (const binding of volumes.bindings) {
      yield timings.request;
      binding.volume = this.write(binding.volume);
    }
    for (const provision of volumes.provisions) {
      yield timings.request;
      provision.claim = this.write(provision.claim);
    }
    const deadline = this.world.clock.now + timings.volumeBindTimeout;
    for (;;) {
      yield timings.volumeBindPoll;
      if (this.world.clock.now >= deadline) throw new Error('binding volumes: context deadline exceeded');
      const why = this.check(pod, node, volumes);
      if (why === 'bound') return;
      if (why !== 'wait') throw new Error(`binding volumes: ${why.error}`);
    }
  }

  /** An update of the whole object as it was read: a change in between makes it fail. */
  private write<T extends PersistentVolume | PersistentVolumeClaim>(wanted: T): T {
    const { namespace, name, resourceVersion } = wanted.metadata;
    const stored = this.world.api.get(wanted.kind, namespace, name);
    if (stored && same(stored, wanted)) return stored as T;
    return this.world.api.update(wanted.kind, namespace, name, () => wanted, resourceVersion) as T;
  }

  /** One look (checkBindings). */
  private check(pod: Pod, node: string, volumes: AssumedVolumes): 'bound' | 'wait' | { readonly error: string } {
    const { api } = this.world;
    const labels = api.get('Node', undefined, node)?.metadata.labels;
    if (!api.get('Node', undefined, node)) return { error: `failed to get node "${node}": node "${node}" not found` };
    if (api.get('Pod', pod.metadata.namespace, pod.metadata.name) === undefined) return { error: `pod does not exist any more: pod "${pod.metadata.name}" not found` };
    const unreachable = (volume: PersistentVolume): { readonly error: string } | undefined =>
      volumeReachable(volume, labels ?? {}) ? undefined : { error: `pv "${volume.metadata.name}" node affinity doesn't match node "${node}": no matching NodeSelectorTerms` };
    for (const { claim, volume: written } of volumes.bindings) {
      const volume = api.get('PersistentVolume', undefined, written.metadata.name);
      const current = api.byKey('PersistentVolumeClaim', keyOfClaim(claim));
      if (!volume) return { error: `failed to check binding: persistentvolumes "${written.metadata.name}" not found` };
      if (!current) return { error: `failed to check binding: persistentvolumeclaims "${keyOfClaim(claim)}" not found` };
      const refusal = unreachable(volume);
      if (refusal) return refusal;
      if ((volume.spec.claimRef?.uid ?? '') === '') return { error: `ClaimRef got reset for pv "${volume.metadata.name}"` };
      if (!isFullyBound(current)) return 'wait';
    }
    for (const { claim } of volumes.provisions) {
      const current = api.byKey('PersistentVolumeClaim', keyOfClaim(claim));
      if (!current) return { error: `failed to check provisioning pvc: persistentvolumeclaims "${keyOfClaim(claim)}" not found` };
      if (current.metadata.annotations === undefined) return { error: `selectedNode annotation reset for PVC "${claim.metadata.name}"` };
      if (current.metadata.annotations[SELECTED_NODE] !== node) return { error: `provisioning failed for PVC "${claim.metadata.name}"` };
      if ((current.spec.volumeName ?? '') !== '') {
        const volume = api.get('PersistentVolume', undefined, current.spec.volumeName ?? '');
        if (!volume) return 'wait';
        const refusal = unreachable(volume);
        if (refusal) return refusal;
      }
      if (!isFullyBound(current)) return 'wait';
    }
    return 'bound';
  }
}

/** The volume with its claimRef complete; `bound-by-controller` only where nobody had pre-bound it. The same object when nothing changes (GetBindVolumeToClaim). @modelled ref 2.4 */
function bindVolumeToClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  if (volume.spec.claimRef?.uid === claim.metadata.uid) return volume;
  const preBound = isVolumeBoundToClaim(volume, claim);
  const bound = { ...volume, spec: { ...volume.spec, claimRef: referenceTo(claim) } };
  return preBound ? bound : withAnnotations(bound, { [BOUND_BY_CONTROLLER]: 'yes' });
}

/** Whether writing `wanted` over `stored` would change nothing that the scheduler writes. */
function same(stored: PersistentVolume | PersistentVolumeClaim, wanted: PersistentVolume | PersistentVolumeClaim): boolean {
  if (stored.metadata.resourceVersion !== wanted.metadata.resourceVersion) return false;
  if (stored.kind === 'PersistentVolume' && wanted.kind === 'PersistentVolume') return stored.spec.claimRef?.uid === wanted.spec.claimRef?.uid;
  return stored.metadata.annotations?.[SELECTED_NODE] === wanted.metadata.annotations?.[SELECTED_NODE];
}

/** The API's refusal, or an error's text, as the scheduler's messages carry it. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError || error instanceof Error) return error.message;
  throw error;
}
