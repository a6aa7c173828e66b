/**
 * The claims of a StatefulSet's pods: made before the pod, and owned as the retention policy says
 * (pkg/controller/statefulset/stateful_pod_control.go and stateful_set_utils.go, v1.35).
 */
import { ApiError } from '../../kernel/api-error.ts';
import { withMeta, type Draft } from '../../kernel/api-server.ts';
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Work } from '../../kernel/work-queue.ts';
import type { OwnerReference, PersistentVolumeClaim, Pod, StatefulSet } from '../../model/objects.ts';
import { deepEqual } from '../../model/values.ts';
import { controllerReference } from './pods.ts';
import { claimName, podName } from './statefulset-identity.ts';

/** What keeps a pod from being made; the set tries again. */
export class ClaimProblem extends Error {}

export class SetClaims {
  private readonly world: World;
  private readonly recorder: EventRecorder;

  constructor(world: World, recorder: EventRecorder) {
    this.world = world;
    this.recorder = recorder;
  }

  private of(set: StatefulSet, ordinal: number): PersistentVolumeClaim[] {
    return (set.spec.volumeClaimTemplates ?? []).flatMap((template) => this.find(set, claimName(set, template.metadata.name, ordinal)) ?? []);
  }

  private find(set: StatefulSet, name: string): PersistentVolumeClaim | undefined {
    return this.world.api.get('PersistentVolumeClaim', set.metadata.namespace, name);
  }

  /**
   * Makes those claims of a pod that are not there, one event each. A claim that is there already is used as it is, unless
   * it is being deleted: then there is nothing to go on with.
   * @recorded #statefulset-templates
   */
  *createMissing(set: StatefulSet, ordinal: number): Work {
    const problems: string[] = [];
    for (const draft of claimDrafts(set, ordinal)) {
      const { name } = draft.metadata as { name: string };
      const known = this.find(set, name);
      if (known?.metadata.deletionTimestamp !== undefined) problems.push(`pvc ${name} is being deleted`);
      if (known) continue;
      yield timings.request;
      const refusal = this.create(set, podName(set, ordinal), draft, name);
      if (refusal !== undefined) problems.push(`failed to create PVC ${name}: ${refusal}`);
    }
    if (problems.length > 0) throw new ClaimProblem(problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`);
  }

  private create(set: StatefulSet, pod: string, draft: Draft<'PersistentVolumeClaim'>, name: string): string | undefined {
    try {
      this.world.api.create(draft);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.recorder.event(set, 'Warning', 'FailedCreate', `Create Claim ${name} for Pod ${pod} in StatefulSet ${set.metadata.name} failed error: ${error.message}`);
      return error.message;
    }
    this.recorder.event(set, 'Normal', 'SuccessfulCreate', `Create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata.name} success`);
    return undefined;
  }

  /**
   * PodClaimIsStale: a claim that is to go with an earlier pod of this name is not used again. The set waits for its end.
   * @modelled pkg/controller/statefulset/stateful_pod_control.go, v1.35
   */
  isStale(set: StatefulSet, ordinal: number): boolean {
    if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return false;
    return this.of(set, ordinal).some((claim) => claim.metadata.ownerReferences?.some((ref) => ref.kind === 'Pod' && ref.name === podName(set, ordinal)) ?? false);
  }

  /** Lets a pod's claims be owned as the retention policy says. Returns whether anything was to be changed. */
  *own(set: StatefulSet, pod: Pod, ordinal: number, condemned: boolean): Generator<number, boolean, void> {
    let changed = false;
    for (const { metadata } of this.of(set, ordinal)) {
      const claim = this.find(set, metadata.name);
      if (!claim || withOwners(claim, set, pod, condemned) === claim) continue;
      changed = true;
      yield timings.request;
      this.world.api.updateIfPresent('PersistentVolumeClaim', set.metadata.namespace, metadata.name, (found) => withOwners(found, set, pod, condemned));
    }
    return changed;
  }
}

/** The claims of one pod: labels of the selector over those of the template. @recorded #statefulset-templates */
function claimDrafts(set: StatefulSet, ordinal: number): Draft<'PersistentVolumeClaim'>[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...(template.metadata.annotations ? { annotations: template.metadata.annotations } : {}),
      labels: { ...template.metadata.labels, ...set.spec.selector.matchLabels },
      name: claimName(set, template.metadata.name, ordinal),
      namespace: set.metadata.namespace,
    },
    spec: template.spec,
    status: { phase: 'Pending' },
  }));
}

/**
 * updateClaimOwnerRefForSetAndPod: the set controls a claim that goes with the set, the pod one that goes with a scale-down.
 * A claim whose reference means an earlier set or pod is left alone, and so is one that somebody else controls.
 * @modelled pkg/controller/statefulset/stateful_set_utils.go, v1.35
 */
function withOwners(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod, condemned: boolean): PersistentVolumeClaim {
  const references = claim.metadata.ownerReferences ?? [];
  const ours = references.filter((ref) => refersTo(ref, set) || refersTo(ref, pod));
  if (ours.some((ref) => ref.uid !== set.metadata.uid && ref.uid !== pod.metadata.uid)) return claim;
  const others = references.filter((ref) => !ours.includes(ref));
  const owner = others.some((ref) => ref.controller) ? undefined : ownerOf(set, pod, condemned);
  const wanted = owner ? [...others, controllerReference(owner)] : others;
  return deepEqual(references, wanted) ? claim : withMeta(claim, { ownerReferences: wanted.length > 0 ? wanted : undefined });
}

function ownerOf(set: StatefulSet, pod: Pod, condemned: boolean): StatefulSet | Pod | undefined {
  const policy = set.spec.persistentVolumeClaimRetentionPolicy;
  if (policy?.whenScaled === 'Delete' && condemned) return pod;
  return policy?.whenDeleted === 'Delete' ? set : undefined;
}

function refersTo(ref: OwnerReference, object: StatefulSet | Pod): boolean {
  return ref.kind === object.kind && ref.name === object.metadata.name;
}
