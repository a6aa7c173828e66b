/** `kubectl drain` on the simulated cluster (k8s.io/kubectl pkg/cmd/drain, pkg/drain, v0.35). */
import { evictPod } from '../admission/evict-pod.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { World } from '../kernel/world.ts';
import type { ClusterView, KubectlOutcome } from '../kubectl/common.ts';
import { chosenObjects, goDuration } from '../kubectl/common.ts';
import type { DrainCommand } from '../kubectl/drain.ts';
import { isSkipped, podsToDrain } from '../kubectl/drain.ts';
import type { Pod } from '../model/objects.ts';
import { cordonNode } from './kubectl-changes.ts';
import { severalErrors } from './kubectl-errors.ts';

const RETRY_MS = 5_000;
const POLL_MS = 1_000;
/** kubectl without `--timeout` tries for ever: somebody has to end it. */
const LONGEST_DRAIN_MS = 3_600_000;
const DRAINED_TOO_LONG = 'the drain did not end within an hour, and this simulation drains no longer: give a --timeout';

/** What is printed while it goes on. */
type Say = (line: string) => void;

/**
 * Cordons the nodes, then empties one after the other; a node that cannot be emptied does not keep the others from it.
 * What becomes of the volumes follows from the pods' ends.
 * @modelled k8s.io/kubectl pkg/cmd/drain/drain.go (RunDrain), v0.35
 */
export function drainNodes(world: World, command: DrainCommand, view: ClusterView): KubectlOutcome {
  const { objects: nodes, errors } = chosenObjects({ ...command, allNamespaces: false }, view);
  if (errors.length > 0) return { code: 1, text: errors.join('') };
  let text = '';
  const say: Say = (line) => {
    text += `${line}\n`;
  };
  for (const node of nodes) text += cordonNode(world, node, true);
  const failures = new Map<string, Failure>();
  for (const { metadata } of nodes) {
    const failure = drainNode(world, command, metadata.name, view, say);
    if (failure === undefined) {
      say(`node/${metadata.name} drained`);
      continue;
    }
    say(`error: unable to drain node "${metadata.name}" due to error: ${severalErrors(failure.errors)}, continuing command...`);
    failures.set(metadata.name, failure);
  }
  if (failures.size === 0) return { code: 0, text };
  say('There are pending nodes to be drained:');
  for (const name of failures.keys()) say(` ${name}`);
  for (const line of closingLines([...failures.values()])) say(line);
  return { code: 1, text };
}

interface Failure {
  readonly errors: readonly string[];
  /** One error that is no list: it is printed with `error:`. */
  readonly alone?: true;
}

/** What kubectl says last: of one node each of its errors, of several nodes each node's in one line. @modelled k8s.io/kubectl pkg/cmd/util/helpers.go (checkErr), v0.35 */
function closingLines(failures: readonly Failure[]): readonly string[] {
  const [only, ...others] = failures;
  if (only === undefined || others.length > 0) return failures.map(({ errors }) => severalErrors(errors));
  return only.alone === true ? only.errors.map((line) => `error: ${line}`) : only.errors;
}

/** @modelled k8s.io/kubectl pkg/cmd/drain/drain.go (deleteOrEvictPodsSimple), v0.35 */
function drainNode(world: World, command: DrainCommand, node: string, view: ClusterView, say: Say): Failure | undefined {
  const { pods, warnings, errors } = podsToDrain(command, node, { ...view, now: world.api.unixMs });
  if (errors.length > 0) return { errors };
  if (warnings.length > 0) say(`Warning: ${warnings.join('; ')}`);
  const failure = command.disableEviction ? deletePods(world, command, pods, say) : evictPods(world, command, pods, say);
  if (failure === undefined) return undefined;
  const left = podsToDrain(command, node, { ...view, now: world.api.unixMs });
  if (left.pods.length > 0) say(`There are pending pods in node "${node}" when an error occurred: ${severalErrors(failure.errors)}`);
  for (const { metadata } of left.pods) say(`pod/${metadata.name}`);
  return failure;
}

interface Deadline {
  readonly at: number;
  readonly text: string;
}

function deadlineOf(world: World, { timeoutMs }: DrainCommand): Deadline {
  return timeoutMs <= 0 ? { at: world.clock.now + LONGEST_DRAIN_MS, text: DRAINED_TOO_LONG } : { at: world.clock.now + timeoutMs, text: `global timeout reached: ${goDuration(timeoutMs)}` };
}

/** One pod on its way: asked to go, or going. */
interface Leaver {
  readonly pod: Pod;
  state: 'asked' | 'going' | 'done';
  /** When kubectl looks at it again. */
  lookAt: number;
}

/**
 * Each pod by itself: eviction is asked for again every 5 s while a budget forbids it; then kubectl looks once a second
 * whether the pod is gone.
 * @modelled k8s.io/kubectl pkg/drain/drain.go (evictPods), v0.35
 */
function evictPods(world: World, command: DrainCommand, pods: readonly Pod[], say: Say): Failure | undefined {
  const deadline = deadlineOf(world, command);
  const errors: string[] = [];
  const leavers = pods.map((pod): Leaver => ({ pod, state: 'asked', lookAt: world.clock.now }));
  for (;;) {
    const next = leavers.filter(({ state }) => state !== 'done').toSorted((a, b) => a.lookAt - b.lookAt)[0];
    if (next === undefined) return errors.length === 0 ? undefined : { errors };
    world.clock.runUntil(next.lookAt);
    const error = next.state === 'asked' ? askToGo(world, command, next, deadline, say) : lookWhetherGone(world, command, next, deadline, say);
    if (error === undefined) continue;
    errors.push(error);
    next.state = 'done';
  }
}

function askToGo(world: World, command: DrainCommand, leaver: Leaver, deadline: Deadline, say: Say): string | undefined {
  const { name, namespace = '' } = leaver.pod.metadata;
  const failed = (why: string): string => `error when evicting pods/"${name}" -n "${namespace}": ${why}`;
  say(`evicting pod ${namespace}/${name}`);
  if (world.clock.now >= deadline.at) return failed(deadline.text);
  try {
    evictPod(world, namespace, name, command.graceSeconds);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.reason === 'NotFound') leaver.state = 'done';
    else if (error.reason !== 'TooManyRequests') return failed(error.message);
    else {
      say(`error when evicting pods/"${name}" -n "${namespace}" (will retry after 5s): ${error.message}`);
      leaver.lookAt = world.clock.now + RETRY_MS;
    }
    return undefined;
  }
  leaver.state = 'going';
  leaver.lookAt = world.clock.now + POLL_MS;
  return undefined;
}

function lookWhetherGone(world: World, command: DrainCommand, leaver: Leaver, deadline: Deadline, say: Say): string | undefined {
  const { name, namespace = '' } = leaver.pod.metadata;
  if (isGone(world, command, leaver.pod, 'evicted', say)) leaver.state = 'done';
  else if (world.clock.now >= deadline.at) return `error when waiting for pod "${name}" in namespace "${namespace}" to terminate: ${deadline.text}`;
  leaver.lookAt = world.clock.now + POLL_MS;
  return undefined;
}

/** Gone, or another pod of that name there, or not worth waiting for; says which. */
function isGone(world: World, command: DrainCommand, { metadata }: Pod, done: 'evicted' | 'deleted', say: Say): boolean {
  const stored = world.api.get('Pod', metadata.namespace, metadata.name);
  if (stored?.metadata.uid !== metadata.uid) {
    say(`pod/${metadata.name} ${done}`);
    return true;
  }
  if (!isSkipped(command, stored, world.api.unixMs)) return false;
  say(`pod "${metadata.name}" has DeletionTimestamp older than ${command.skipWaitSeconds} seconds, skipping`);
  return true;
}

/** `--disable-eviction`: plain deletes, which no budget stops; then a look once a second. @modelled k8s.io/kubectl pkg/drain/drain.go (deletePods), v0.35 */
function deletePods(world: World, command: DrainCommand, pods: readonly Pod[], say: Say): Failure | undefined {
  const { graceSeconds } = command;
  for (const { metadata } of pods) {
    if (world.api.get('Pod', metadata.namespace, metadata.name)) world.api.delete('Pod', metadata.namespace, metadata.name, graceSeconds === undefined ? {} : { graceSeconds });
  }
  const deadline = deadlineOf(world, command);
  for (let left: readonly Pod[] = pods; ; ) {
    left = left.filter((pod) => !isGone(world, command, pod, 'deleted', say));
    if (left.length === 0) return undefined;
    if (world.clock.now >= deadline.at) return { errors: [command.timeoutMs <= 0 ? DRAINED_TOO_LONG : 'timed out waiting for the condition'], alone: true };
    world.clock.runUntil(world.clock.now + POLL_MS);
  }
}

