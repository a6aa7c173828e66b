/**
 * `kubectl rollout status`: one line for each state of the object that the watch shows, until it is done or time is up.
 * Source: k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go and cmd/rollout/rollout_status.go, v0.35.
 *
 * The command takes (virtual) time, so the caller drives it: `rolloutStatusLine` of the object as it stands when the
 * command begins, then of every further write to it; it ends at `done`, at an `error`, or with `ROLLOUT_TIMED_OUT` when
 * `RolloutStatusCommand.timeoutMs` has passed.
 */
import type { Deployment, Json, StatefulSet } from '../model/objects.ts';
import type { RolloutStatusCommand } from './command.ts';
import type { KubectlOutcome } from './outcome.ts';
import { notFound } from './outcome.ts';
import { qualifiedPlural, resourceOfKind } from './resources.ts';
import type { ClusterView } from './view.ts';
import { findObject } from './view.ts';

/** What the command prints, with exit code 1, when its time is up. */
export const ROLLOUT_TIMED_OUT = 'error: timed out waiting for the condition\n';
/** What it prints, with exit code 1, when the object is deleted while it waits. */
export const ROLLOUT_OBJECT_DELETED = 'error: object has been deleted\n';

export interface RolloutProgress {
  /** The line to print, line feed included; empty when the state is an error. */
  readonly line: string;
  /** The rollout is complete: the command ends with code 0. */
  readonly done: boolean;
  /** The command ends with code 1 and this text. */
  readonly error?: string | undefined;
}

/** What `rollout status` says of one state of a Deployment or a StatefulSet. */
export function rolloutStatusLine(object: Deployment | StatefulSet): RolloutProgress {
  return object.kind === 'Deployment' ? deploymentProgress(object) : statefulSetProgress(object);
}

/** @recorded #rolling-update */
function deploymentProgress(deployment: Deployment): RolloutProgress {
  const { name, generation = 0 } = deployment.metadata;
  const { status } = deployment;
  if (generation > number(status['observedGeneration'])) return waiting('Waiting for deployment spec update to be observed...');
  if (progressDeadlineExceeded(status['conditions'])) {
    return { line: '', done: false, error: `error: deployment "${name}" exceeded its progress deadline\n` };
  }
  const wanted = deployment.spec.replicas ?? 1;
  const updated = number(status['updatedReplicas']);
  const all = number(status['replicas']);
  const available = number(status['availableReplicas']);
  const finishing = `Waiting for deployment "${name}" rollout to finish:`;
  if (updated < wanted) return waiting(`${finishing} ${updated} out of ${wanted} new replicas have been updated...`);
  if (all > updated) return waiting(`${finishing} ${all - updated} old replicas are pending termination...`);
  if (available < updated) return waiting(`${finishing} ${available} of ${updated} updated replicas are available...`);
  return complete(`deployment "${name}" successfully rolled out`);
}

/** @modelled k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go, v0.35 */
function statefulSetProgress(set: StatefulSet): RolloutProgress {
  const { generation = 0 } = set.metadata;
  const { status } = set;
  const strategy = updateStrategy(set);
  if (strategy.type !== 'RollingUpdate') {
    return { line: '', done: true, error: 'error: rollout status is only available for RollingUpdate strategy type\n' };
  }
  const observed = number(status['observedGeneration']);
  if (observed === 0 || generation > observed) return waiting('Waiting for statefulset spec update to be observed...');
  const wanted = set.spec.replicas ?? 1;
  const ready = number(status['readyReplicas']);
  const updated = number(status['updatedReplicas']);
  if (ready < wanted) return waiting(`Waiting for ${wanted - ready} pods to be ready...`);
  if (strategy.partition !== undefined) {
    const due = wanted - strategy.partition;
    if (updated < due) return waiting(`Waiting for partitioned roll out to finish: ${updated} out of ${due} new pods have been updated...`);
    return complete(`partitioned roll out complete: ${updated} new pods have been updated...`);
  }
  const current = text(status['currentRevision']);
  const update = text(status['updateRevision']);
  if (update !== current) return waiting(`waiting for statefulset rolling update to complete ${updated} pods at revision ${update}...`);
  return complete(`statefulset rolling update complete ${number(status['currentReplicas'])} pods at revision ${current}...`);
}

interface UpdateStrategy {
  readonly type: string;
  readonly partition: number | undefined;
}

/** The API server fills in `RollingUpdate` with partition 0 when the manifest has no strategy. */
function updateStrategy(set: StatefulSet): UpdateStrategy {
  const strategy = (set.spec as { readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } } }).updateStrategy;
  const type = strategy?.type ?? 'RollingUpdate';
  if (strategy === undefined) return { type, partition: 0 };
  return { type, partition: strategy.rollingUpdate === undefined ? undefined : (strategy.rollingUpdate.partition ?? 0) };
}

function progressDeadlineExceeded(conditions: Json | undefined): boolean {
  if (!Array.isArray(conditions)) return false;
  const known = conditions as readonly { readonly type?: string; readonly reason?: string }[];
  return known.some((condition) => condition.type === 'Progressing' && condition.reason === 'ProgressDeadlineExceeded');
}

function waiting(line: string): RolloutProgress {
  return { line: `${line}\n`, done: false };
}

function complete(line: string): RolloutProgress {
  return { line: `${line}\n`, done: true };
}

function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The object that a `rollout status` watches, or what the command answers when there is none. */
export function rolloutTarget(command: RolloutStatusCommand, view: ClusterView): Deployment | StatefulSet | KubectlOutcome {
  const found = findObject(view, command.kind, command.name, command.namespace ?? view.namespace);
  if (found !== undefined) return found;
  const resource = resourceOfKind(command.kind);
  return { code: 1, text: `${notFound(qualifiedPlural(resource), command.name).message}\n` };
}
