/** The disruption controller (pkg/controller/disruption/disruption.go, v1.35): counts the pods of every PodDisruptionBudget. */
import { objectKey } from '../../kernel/api-server.ts';
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import { WorkQueue, type Work } from '../../kernel/work-queue.ts';
import { withDisruptionCondition } from '../../model/budget-condition.ts';
import { matchesLabelSelector } from '../../model/label-selector.ts';
import type { LabelSelector, OwnerReference, Pod, PodDisruptionBudget, Timestamp } from '../../model/objects.ts';
import { deepEqual } from '../../model/values.ts';
import { controllerOf, isReady } from './pods.ts';

/** How long a granted eviction counts as a pod less before the pod must be gone (DeletionTimeout). */
const DELETION_TIMEOUT = 120_000;
const PODS_OF_NAMESPACE = 'disruption/pods-of-namespace';

type Status = PodDisruptionBudget['status'];

/** Looks at pods from the first budget on: a cluster without budgets pays nothing for them. */
export function startDisruptionController(world: World): void {
  let controller: DisruptionController | undefined;
  world.api.watch('PodDisruptionBudget', ({ verb, object }) => {
    controller ??= new DisruptionController(world);
    if (verb !== 'DELETED') controller.enqueue(object);
  });
}

class DisruptionController {
  private readonly world: World;
  private readonly recorder: EventRecorder;
  private readonly queue: WorkQueue;

  constructor(world: World) {
    this.world = world;
    this.recorder = world.recorder('controllermanager');
    this.queue = new WorkQueue(world.clock, (key) => this.sync(key));
    world.api.index(PODS_OF_NAMESPACE, 'Pod', (pod) => [pod.metadata.namespace ?? ''], (pod) => pod.metadata.namespace);
    world.api.watch('Pod', ({ object, old }) => {
      for (const budget of this.budgetsOf(object, old)) this.enqueue(budget);
    });
  }

  enqueue(budget: PodDisruptionBudget): void {
    this.queue.add(objectKey(budget));
  }

  /** The budgets that select the pod, or selected it before this write. */
  private budgetsOf(pod: Pod, old: Pod | undefined): PodDisruptionBudget[] {
    const selects = ({ spec: { selector } }: PodDisruptionBudget, labels: Pod['metadata']['labels']): boolean => selector !== undefined && matchesLabelSelector(selector, labels);
    return [...this.world.api.list('PodDisruptionBudget')].filter(
      (budget) => budget.metadata.namespace === pod.metadata.namespace && (selects(budget, pod.metadata.labels) || (old !== undefined && selects(budget, old.metadata.labels))),
    );
  }

  /**
   * trySync, and failSafe where the pods cannot be counted: nothing is allowed then, no generation counts as observed, and
   * the budget is looked at again after a growing back-off.
   * @modelled pkg/controller/disruption/disruption.go, v1.35
   */
  private *sync(key: string): Work {
    yield timings.request;
    const budget = this.world.api.byKey('PodDisruptionBudget', key);
    if (!budget) return;
    const { selector } = budget.spec;
    const pods = selector === undefined ? [] : this.world.api.byIndex<'Pod'>(PODS_OF_NAMESPACE, budget.metadata.namespace ?? '').filter(({ metadata }) => matchesLabelSelector(selector, metadata.labels));
    if (pods.length === 0) this.recorder.event(budget, 'Normal', 'NoPods', 'No matching pods found');
    const expectation = this.expectationOf(budget, pods);
    if ('failure' in expectation) {
      this.recorder.event(budget, 'Warning', 'CalculateExpectedPodCountFailed', `Failed to calculate the number of expected pods: ${expectation.failure}`);
      this.write(budget, (status) => ({ ...status, disruptionsAllowed: 0 }), expectation.failure);
      this.queue.addRateLimited(key);
      return;
    }
    this.queue.forget(key);
    if (expectation.unmanaged) this.recorder.event(budget, 'Warning', 'UnmanagedPods', unmanagedText(selector ?? {}));
    this.count(budget, pods, expectation);
  }

  /** updatePdbStatus. @modelled pkg/controller/disruption/disruption.go, v1.35 */
  private count(budget: PodDisruptionBudget, pods: readonly Pod[], { expected, desired }: Expectation): void {
    const { generation } = budget.metadata;
    const disrupted = this.disruptedPods(budget, pods);
    const healthy = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && disrupted[pod.metadata.name] === undefined && isReady(pod)).length;
    const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
    this.write(budget, ({ disruptedPods: _before, ...status }) => ({
      ...status,
      currentHealthy: healthy,
      desiredHealthy: desired,
      disruptionsAllowed: allowed,
      expectedPods: expected,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...(Object.keys(disrupted).length > 0 ? { disruptedPods: disrupted } : {}),
    }));
  }

  private write({ metadata: { namespace, name } }: PodDisruptionBudget, change: (status: Status) => Status, failure?: string): void {
    this.world.api.updateIfPresent('PodDisruptionBudget', namespace, name, (stored) => {
      const status = withDisruptionCondition(change(stored.status), this.world.api.timestamp(), failure);
      return deepEqual(status, stored.status) ? stored : { ...stored, status };
    });
  }

  /** Evictions that were granted and whose pods are still there; one that is too old does not count any more (buildDisruptedPodMap). @modelled pkg/controller/disruption/disruption.go, v1.35 */
  private disruptedPods(budget: PodDisruptionBudget, pods: readonly Pod[]): Record<string, Timestamp> {
    const now = this.world.api.unixMs;
    const kept: Record<string, Timestamp> = {};
    for (const pod of pods) {
      const granted = budget.status.disruptedPods?.[pod.metadata.name];
      if (granted === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
      const due = Date.parse(granted) + DELETION_TIMEOUT;
      if (due < now) {
        // The text names the namespace twice.
        this.recorder.event(pod, 'Warning', 'NotDeleted', `Pod was expected by PDB ${budget.metadata.namespace ?? ''}/${budget.metadata.namespace ?? ''} to be deleted but it wasn't`);
        continue;
      }
      kept[pod.metadata.name] = granted;
      this.queue.addAfter(objectKey(budget), due - now + 1);
    }
    return kept;
  }

  /** getExpectedPodCount: shares, and pods that may be away, are counted from what the controllers want. @modelled pkg/controller/disruption/disruption.go, v1.35 */
  private expectationOf({ spec }: PodDisruptionBudget, pods: readonly Pod[]): Expectation | Failure {
    if (spec.maxUnavailable === undefined && typeof spec.minAvailable !== 'string') {
      return spec.minAvailable === undefined ? { expected: 0, desired: 0, unmanaged: false } : { expected: pods.length, desired: spec.minAvailable, unmanaged: false };
    }
    const scale = this.expectedScale(pods);
    if ('failure' in scale) return scale;
    const { expected, unmanaged } = scale;
    const desired = spec.maxUnavailable === undefined ? scaled(spec.minAvailable ?? 0, expected) : Math.max(0, expected - scaled(spec.maxUnavailable, expected));
    return { expected, desired, unmanaged };
  }

  private expectedScale(pods: readonly Pod[]): Omit<Expectation, 'desired'> | Failure {
    const scales = new Map<string, number>();
    let unmanaged = false;
    for (const pod of pods) {
      const owner = controllerOf(pod);
      if (owner === undefined) {
        unmanaged = true;
        continue;
      }
      const scale = this.scaleOf(pod.metadata.namespace, owner);
      if (scale === undefined) return { failure: `found no controllers for pod "${pod.metadata.name}"` };
      scales.set(scale.uid, scale.replicas);
    }
    return { expected: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0), unmanaged };
  }

  /** What a pod's controller wants; of a Deployment's ReplicaSet it is the Deployment that says so. */
  private scaleOf(namespace: string | undefined, { kind, name, uid }: OwnerReference): { uid: string; replicas: number } | undefined {
    if (kind !== 'ReplicaSet' && kind !== 'StatefulSet' && kind !== 'Deployment') return undefined;
    const controller = this.world.api.get(kind, namespace, name);
    if (controller?.metadata.uid !== uid) return undefined;
    const above = controller.kind === 'ReplicaSet' ? controllerOf(controller) : undefined;
    return above?.kind === 'Deployment' ? this.scaleOf(namespace, above) : { uid, replicas: controller.spec.replicas ?? 1 };
  }
}

interface Expectation {
  readonly expected: number;
  readonly desired: number;
  /** Some pod has no controller, so that nobody says how many there should be. */
  readonly unmanaged: boolean;
}
interface Failure {
  readonly failure: string;
}

/** A number, or a share of the whole, rounded up (intstr.GetScaledValueFromIntOrPercent). */
function scaled(amount: number | string, whole: number): number {
  return typeof amount === 'number' ? amount : Math.ceil((whole * Number.parseInt(amount, 10)) / 100);
}

function unmanagedText(selector: LabelSelector): string {
  return (
    `Pods selected by this PodDisruptionBudget (selector: ${goSelector(selector)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ` +
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.'
  );
}

/** `metav1.LabelSelector.String()` of a pointer. */
function goSelector({ matchLabels, matchExpressions }: LabelSelector): string {
  const labels = Object.entries(matchLabels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `${key}: ${value},`);
  const expressions = (matchExpressions ?? []).map(({ key, operator, values }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`);
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
