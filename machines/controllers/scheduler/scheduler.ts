/**
 * kube-scheduler (schedule_one.go, eventhandlers.go, v1.35; ref 3): one scheduling cycle at a time, any number of binding
 * cycles beside it.
 */
import { ApiError } from '../../kernel/api-error.ts';
import type { SeriesRecorder } from '../../kernel/event-recorder.ts';
import type { Lanes } from '../../kernel/machine.ts';
import { timings } from '../../kernel/timings.ts';
import { runWork, type Work } from '../../kernel/work-queue.ts';
import type { World } from '../../kernel/world.ts';
import type { Pod } from '../../model/objects.ts';
import { PodKeys } from '../../trace/pod-keys.ts';
import { SchedulerCache } from './cache.ts';
import { preemptionChart, schedulingChart, type PreemptionLane } from './chart.ts';
import { Cycle } from './cycle.ts';
import { runFiltersWithNominated, runPreFilters } from './filters.ts';
import { fitErrorMessage, postFilterText, type Diagnosis } from './message.ts';
import type { NodeInfo } from './node-info.ts';
import type { Nomination } from './nominator.ts';
import { applyStatusPatch, bindPod, statusPatch } from './pod-status.ts';
import { isAssigned, podInfoOf, type PodInfo } from './pod-info.ts';
import { findPreemption, type Candidate } from './preemption.ts';
import { SchedulingQueue, type QueuedPod } from './queue.ts';
import { bestNodes, nodesByScore } from './score.ts';
import type { PluginName, Rejection } from './status.ts';
import { VolumeBinder, errorText, type AssumedVolumes } from './volume-binder.ts';

export const DEFAULT_SCHEDULER = 'default-scheduler';

/** Up to so many nodes the search looks at all of them (schedule_one.go minFeasibleNodesToFind). */
/** From this many nodes on a search does not look at every node when it need not. */
const MANY_NODES = 16;
const MIN_FEASIBLE_NODES = 100;
const MIN_FEASIBLE_PERCENT = 5;

const NO_REJECTIONS: ReadonlyMap<string, Rejection> = new Map();
const NO_PLUGINS: ReadonlySet<PluginName> = new Set();

/** How an attempt ended. */
type Outcome =
  | { readonly kind: 'fits'; readonly node: string; readonly volumes: AssumedVolumes | undefined }
  | { readonly kind: 'failed'; readonly reason: 'Unschedulable' | 'SchedulerError'; readonly message: string; readonly rejectors: ReadonlySet<PluginName>; readonly nomination: Nomination };

interface Found {
  readonly nodes: readonly NodeInfo[];
  readonly diagnosis: Diagnosis;
  /** The plugins that refused the pod: their hints decide what wakes it. */
  readonly rejectors: ReadonlySet<PluginName>;
}

export class Scheduler {
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  /** By which a recorded run names the pods whose nodes it chose; undefined where it chose none. */
  readonly podKeys: PodKeys | undefined;
  private readonly world: World;
  private readonly recorder: SeriesRecorder;
  private readonly binder: VolumeBinder;
  private readonly preemptions: Pick<Lanes<string, string>, 'drop'> & { get(key: string): PreemptionLane };
  /** Pods whose victims are not all being deleted yet. */
  private readonly preempting = new Set<string>();
  private busy = false;
  private nextStart = 0;

  constructor(world: World, recorder: SeriesRecorder) {
    this.world = world;
    this.podKeys = Object.keys(world.choices.nodeOfPod).length > 0 ? new PodKeys() : undefined;
    this.recorder = recorder;
    this.cache = new SchedulerCache(world.api);
    this.binder = new VolumeBinder(world, this.cache);
    this.preemptions = world.lanes(preemptionChart);
    const lanes = world.lanes(schedulingChart);
    this.queue = new SchedulingQueue({
      clock: world.clock,
      unixMs: () => world.api.unixMs,
      laneOf: (key) => {
        // A pod of a name that was there before starts anew.
        this.preemptions.drop(key);
        return lanes.renew(key);
      },
      preempting: (uid) => this.preempting.has(uid),
      wake: () => this.wake(),
      poolPhaseMs: Math.floor(world.random.between(0, 30_000)),
    });
  }

  private wake(): void {
    if (this.busy) return;
    this.busy = true;
    this.world.clock.after(timings.schedulerWake, () => this.scheduleNext());
  }

  /** The loop: pops a pod, runs its cycle, pops the next. */
  private scheduleNext(): void {
    const queued = this.queue.pop();
    this.busy = queued !== undefined;
    if (queued) runWork(this.world.clock, this.scheduleOne(queued), () => this.scheduleNext());
  }

  /** One scheduling cycle (ScheduleOne). A failed one keeps the loop until its status is written. @recorded #ephemeral-volume */
  private *scheduleOne(queued: QueuedPod): Work {
    const { pod } = queued.info;
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.recorder.event(pod, 'Warning', 'FailedScheduling', 'Scheduling', `skip schedule deleting pod: ${queued.info.key}`);
      this.queue.done(queued.uid);
      return;
    }
    const outcome = this.schedulingCycle(queued);
    yield timings.schedulingCycle;
    if (outcome.kind === 'failed') {
      yield* this.fail(queued, pod, outcome);
      return;
    }
    this.step(queued, 'FITS');
    runWork(this.world.clock, this.bindingCycle(queued, pod, outcome.node, outcome.volumes));
  }

  /** Finds a node and reserves it, or says why there is none (schedulingCycle, schedulePod). */
  private schedulingCycle(queued: QueuedPod): Outcome {
    const { info } = queued;
    const error = (message: string): Outcome => ({ kind: 'failed', reason: 'SchedulerError', message, rejectors: new Set(), nomination: '' });
    if (this.cache.nodes().length === 0) return { ...error('no nodes available to schedule pods'), reason: 'Unschedulable' } as Outcome;
    const cycle = new Cycle(info, this.cache);
    const found = this.findNodes(cycle);
    if ('error' in found) return error(found.error);
    if (found.nodes.length === 0) return this.postFilter(cycle, found);
    const node = this.choose(info, found.nodes).name;
    const volumes = this.binder.assume(cycle.podVolumes.get(node), node);
    this.cache.place(info, node, true);
    this.queue.nominator.remove(info.uid);
    return { kind: 'fits', node, volumes };
  }

  /** The nodes that fit (findNodesThatFitPod): a nominated node alone if it fits, else all that pass the filters. @recorded #rwop-preemption, #bind-reverts */
  private findNodes(cycle: Cycle): Found | { readonly error: string } {
    const numAllNodes = this.cache.nodes().length;
    const { rejection, nodeNames } = runPreFilters(cycle);
    if (rejection?.code === 'Error') return { error: `running PreFilter plugin "${rejection.plugin}": ${rejection.reasons.join(', ')}` };
    if (rejection) return { nodes: [], diagnosis: { numAllNodes, preFilter: rejection, nodes: new Map() }, rejectors: new Set([rejection.plugin]) };
    const nominated = this.cache.node(cycle.pod.pod.status.nominatedNodeName ?? '');
    if (nominated && !this.filter(cycle, nominated)) return { nodes: [nominated], diagnosis: { numAllNodes, nodes: new Map() }, rejectors: new Set() };
    const best = nodeNames || numAllNodes < MANY_NODES ? undefined : this.bestThatFits(cycle);
    if (best) return { nodes: [best], diagnosis: { numAllNodes, nodes: NO_REJECTIONS }, rejectors: NO_PLUGINS };
    const rejections = new Map<string, Rejection>();
    const nodes: NodeInfo[] = [];
    const wanted = feasibleNodesToFind(numAllNodes);
    for (const node of this.nodesInTurn(nodeNames)) {
      const refusal = this.filter(cycle, node);
      if (refusal?.code === 'Error') return { error: refusal.reasons.join(', ') };
      if (refusal) rejections.set(node.name, refusal);
      else nodes.push(node);
      if (nodes.length >= wanted) break;
    }
    this.nextStart = (this.nextStart + nodes.length + rejections.size) % numAllNodes;
    const rejectors = new Set([...rejections.values()].map(({ plugin }) => plugin));
    if (!nodeNames) return { nodes, diagnosis: { numAllNodes, nodes: rejections }, rejectors };
    // Only node affinity narrows the search to names.
    return { nodes, diagnosis: { numAllNodes, nodes: rejections, absentReasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"] }, rejectors: rejectors.add('NodeAffinity') };
  }

  /**
   * On many nodes: the one that filtering all and scoring those that fit would end with, found by filtering in the order
   * of the scores. Undefined when scores hang on each other, when a recorded run has chosen, or when none fits.
   */
  private bestThatFits(cycle: Cycle): NodeInfo | undefined {
    if (this.wishFor(cycle.pod) !== undefined) return undefined;
    for (const group of nodesByScore(cycle.pod, this.cache.nodes()) ?? []) {
      while (group.length > 0) {
        const [drawn] = group.splice(Math.floor(this.world.random.next() * group.length), 1);
        const refusal = drawn && this.filter(cycle, drawn);
        if (!refusal) return drawn;
        if (refusal.code === 'Error') return undefined;
      }
    }
    return undefined;
  }

  private filter(cycle: Cycle, node: NodeInfo): Rejection | undefined {
    return runFiltersWithNominated(cycle, node, this.queue.nominator.on(node.name));
  }

  /** Each search starts where the last one stopped, so that in a large cluster every node gets its turn. */
  private nodesInTurn(names: ReadonlySet<string> | undefined): readonly NodeInfo[] {
    const all = this.cache.nodes();
    if (names) return all.filter((node) => names.has(node.name));
    return this.nextStart === 0 ? all : [...all.slice(this.nextStart), ...all.slice(0, this.nextStart)];
  }

  /** One of the nodes that fit: the one that a recorded run chose, else the best score, a tie broken by chance. */
  private choose(info: PodInfo, nodes: readonly NodeInfo[]): NodeInfo {
    if (nodes.length === 1 && nodes[0]) return nodes[0];
    const wished = this.wishFor(info);
    const best = bestNodes(info, nodes);
    const drawn = best[best.length > 1 ? Math.floor(this.world.random.next() * best.length) : 0];
    return nodes.find((node) => node.name === wished) ?? (drawn as NodeInfo);
  }

  private wishFor(info: PodInfo): string | undefined {
    if (!this.podKeys) return undefined;
    return this.world.choices.nodeOfPod[this.podKeys.current(info.pod) ?? info.key];
  }

  /** No node fits: looks for victims and puts the message together (RunPostFilterPlugins). @recorded #rwop-preemption, #wait-pod-unschedulable, #claim-not-found */
  private postFilter(cycle: Cycle, { diagnosis, rejectors }: Found): Outcome {
    const fail = (postFilter: string, nomination: Nomination): Outcome => ({ kind: 'failed', reason: 'Unschedulable', message: fitErrorMessage(diagnosis, postFilter), rejectors, nomination });
    if (diagnosis.preFilter) return fail(postFilterText(diagnosis, ''), undefined);
    const preemption = findPreemption(cycle, diagnosis, this.queue.nominator, [...this.world.api.list('PodDisruptionBudget')]);
    if (preemption.kind === 'ineligible') return fail(postFilterText(diagnosis, preemption.message), undefined);
    const lane = this.preemptions.get(cycle.pod.key);
    const tried = preemption.kind === 'candidate' || preemption.tried;
    lane.send(tried ? 'DRY_RUN' : 'NO_POTENTIAL_NODE');
    if (preemption.kind === 'notHelpful') {
      if (tried) lane.send('NO_CANDIDATE');
      return fail(postFilterText(diagnosis, preemption.message), '');
    }
    lane.send('CANDIDATE');
    this.evict(cycle.pod, preemption.candidate, lane);
    return fail('', preemption.candidate.node);
  }

  /** Deletes the victims beside the loop (prepareCandidateAsync). The preemptor waits in the pool meanwhile. @recorded #rwop-preemption */
  private evict(preemptor: PodInfo, { node, victims }: Candidate, lane: PreemptionLane): void {
    const lower = this.queue.nominator.on(node).filter((other) => other.priority < preemptor.priority);
    for (const other of lower) this.patchSoon(other.pod, '');
    const toDelete = victims.filter(({ pod }) => this.world.api.byKey('Pod', `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`)?.metadata.deletionTimestamp === undefined);
    if (toDelete.length === 0) {
      lane.send('GOING_ALREADY');
      return;
    }
    lane.send('EVICT');
    this.preempting.add(preemptor.uid);
    let left = toDelete.length;
    for (const victim of toDelete) {
      runWork(this.world.clock, this.evictOne(preemptor, victim, node), () => {
        left--;
        if (left > 0) return;
        this.preempting.delete(preemptor.uid);
        lane.send('VICTIMS_DELETED');
      });
    }
  }

  private *evictOne(preemptor: PodInfo, victim: PodInfo, node: string): Work {
    yield timings.request;
    const { namespace, name, uid } = victim.pod.metadata;
    const stored = this.world.api.get('Pod', namespace, name);
    if (stored?.metadata.uid !== uid) return;
    const condition = {
      message: `${preemptor.pod.spec.schedulerName ?? DEFAULT_SCHEDULER}: preempting to accommodate a higher priority pod`,
      observedGeneration: stored.metadata.generation,
      reason: 'PreemptionByScheduler',
      status: 'True',
      type: 'DisruptionTarget',
    } as const;
    const patch = statusPatch(stored, condition, undefined, this.world.api.timestamp());
    if (patch) applyStatusPatch(this.world, stored, patch);
    yield timings.request;
    try {
      this.world.api.delete('Pod', namespace, name, { uid });
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'NotFound') return;
      throw error;
    }
    this.recorder.event(stored, 'Normal', 'Preempted', 'Preempting', `Preempted by pod ${preemptor.uid} on node ${node}`, preemptor.pod);
  }

  private patchSoon(pod: Pod, nomination: Nomination): void {
    const patch = statusPatch(pod, undefined, nomination, this.world.api.timestamp());
    if (patch) this.world.clock.after(timings.request, () => applyStatusPatch(this.world, pod, patch));
  }

  /** Nomination, PreBind and Bind (bindingCycle). @recorded #wait-for-first-consumer, #immediate-happy, #bind-reverts */
  private *bindingCycle(queued: QueuedPod, pod: Pod, node: string, volumes: AssumedVolumes | undefined): Work {
    this.step(queued, volumes ? 'PREBIND' : 'BIND');
    if (volumes) {
      const patch = statusPatch(pod, undefined, node, this.world.api.timestamp());
      if (patch) {
        yield timings.request;
        applyStatusPatch(this.world, pod, patch);
      }
    }
    this.queue.done(queued.uid);
    let plugin = 'PreBind plugin "VolumeBinding"';
    try {
      if (volumes) {
        yield* this.binder.bind(pod, node, volumes);
        this.step(queued, 'VOLUMES_BOUND');
      }
      plugin = 'Bind plugin "DefaultBinder"';
      yield timings.request;
      bindPod(this.world, pod, node);
    } catch (error) {
      yield* this.failBinding(queued, pod, volumes, `running ${plugin}: ${errorText(error)}`);
      return;
    }
    this.step(queued, 'BOUND');
    this.recorder.event(pod, 'Normal', 'Scheduled', 'Binding', `Successfully assigned ${queued.info.key} to ${node}`);
  }

  /** Takes everything back that is only in memory and gives the pod back to the queue (handleBindingCycleError). @recorded #bind-reverts, #chosen-node-has-no-driver */
  private *failBinding(queued: QueuedPod, pod: Pod, volumes: AssumedVolumes | undefined, message: string): Work {
    if (volumes) this.binder.revert(volumes);
    if (this.cache.isAssumed(queued.uid)) {
      this.cache.remove(queued.uid);
      this.queue.moveAll({ resource: 'AssignedPod', action: 'Delete', old: pod });
    }
    this.step(queued, 'UNRESERVE');
    yield* this.fail(queued, pod, { kind: 'failed', reason: 'SchedulerError', message, rejectors: new Set(), nomination: '' });
  }

  /** Back to the queue, then the event, then the pod's condition (handleSchedulingFailure). @recorded #claim-not-found, #bind-reverts, #rwop-preemption */
  private *fail(queued: QueuedPod, pod: Pod, outcome: Extract<Outcome, { kind: 'failed' }>): Work {
    queued.rejectors = new Set(outcome.rejectors);
    const stored = this.world.api.get('Pod', pod.metadata.namespace, pod.metadata.name);
    const alive = stored?.metadata.uid === queued.uid && !queued.gone;
    if (alive && !isAssigned(stored)) {
      queued.info = podInfoOf(stored);
      this.queue.addUnschedulable(queued);
      this.queue.nominator.add(queued.info, outcome.nomination);
    } else this.queue.done(queued.uid);
    this.recorder.event(pod, 'Warning', 'FailedScheduling', 'Scheduling', outcome.message);
    const condition = { message: outcome.message, observedGeneration: pod.metadata.generation, reason: outcome.reason, status: 'False', type: 'PodScheduled' } as const;
    const patch = statusPatch(pod, condition, outcome.nomination, this.world.api.timestamp());
    if (!patch) return;
    yield timings.request;
    applyStatusPatch(this.world, pod, patch);
  }

  /** A pod that is deleted has no lane to move on. */
  private step(queued: QueuedPod, event: 'FITS' | 'PREBIND' | 'BIND' | 'VOLUMES_BOUND' | 'BOUND' | 'UNRESERVE'): void {
    if (!queued.gone) queued.lane.send(event);
  }
}

/** How many fitting nodes end the search: all of up to 100, then a share that shrinks with the cluster (numFeasibleNodesToFind). */
function feasibleNodesToFind(nodes: number): number {
  if (nodes < MIN_FEASIBLE_NODES) return nodes;
  const percent = Math.max(MIN_FEASIBLE_PERCENT, 50 - Math.floor(nodes / 125));
  return Math.max(MIN_FEASIBLE_NODES, Math.floor((nodes * percent) / 100));
}
