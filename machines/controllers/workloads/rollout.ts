/** The arithmetic of a Deployment's rollout (pkg/controller/deployment/util/deployment_util.go and rolling.go, v1.35). */
import type { Deployment, ReplicaSet } from '../../model/objects.ts';

export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';
export const REVISION = 'deployment.kubernetes.io/revision';

export function wanted(object: Deployment | ReplicaSet): number {
  return object.spec.replicas ?? 1;
}
export function isRollingUpdate(deployment: Deployment): boolean {
  return (deployment.spec.strategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
}

export function totalWanted(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + wanted(set), 0);
}
/** The sum of one counter of the sets' status. */
export function totalOf(sets: readonly ReplicaSet[], counter: 'replicas' | 'readyReplicas' | 'availableReplicas' | 'terminatingReplicas'): number {
  return sets.reduce((sum, set) => sum + counterOf(set, counter), 0);
}
export function counterOf(object: ReplicaSet | Deployment, counter: string): number {
  const value = object.status[counter];
  return typeof value === 'number' ? value : 0;
}

/**
 * ResolveFenceposts: percentages of the wanted replicas, the surge rounded up, the unavailable rounded down; not both 0.
 * @modelled pkg/controller/deployment/util/deployment_util.go, v1.35
 */
function fenceposts(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge = '25%', maxUnavailable = '25%' } = deployment.spec.strategy?.rollingUpdate ?? {};
  const surge = resolve(maxSurge, wanted(deployment), Math.ceil);
  const unavailable = resolve(maxUnavailable, wanted(deployment), Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

function resolve(value: number | string, total: number, round: (n: number) => number): number {
  if (typeof value === 'number') return value;
  return value.endsWith('%') ? round((Number(value.slice(0, -1)) * total) / 100) : Number(value);
}

/** How many pods more than wanted a rolling update may have; 0 for Recreate. */
export function maxSurge(deployment: Deployment): number {
  return isRollingUpdate(deployment) ? fenceposts(deployment).surge : 0;
}
/** How many pods fewer than wanted a rolling update may have available; 0 for Recreate. */
export function maxUnavailable(deployment: Deployment): number {
  if (!isRollingUpdate(deployment) || wanted(deployment) === 0) return 0;
  return Math.min(fenceposts(deployment).unavailable, wanted(deployment));
}

/**
 * NewRSNewReplicas: all at once for Recreate; else as many as the surge leaves room for.
 * @recorded #rolling-update
 */
export function newSetSize(deployment: Deployment, all: readonly ReplicaSet[], currentSize: number): number {
  if (!isRollingUpdate(deployment)) return wanted(deployment);
  const room = wanted(deployment) + maxSurge(deployment) - totalWanted(all);
  if (room <= 0) return currentSize;
  return currentSize + Math.min(room, wanted(deployment) - currentSize);
}

/** A set and the size it shall get. */
export interface Resize {
  readonly set: ReplicaSet;
  readonly size: number;
}

/**
 * reconcileOldReplicaSets: first what is not healthy in the old sets goes, then as much as keeps enough pods available.
 * @recorded #rolling-update
 */
export function oldSetSizes(deployment: Deployment, old: readonly ReplicaSet[], newSet: ReplicaSet | undefined): Resize[] {
  if (totalWanted(old) === 0) return [];
  const all = newSet ? [...old, newSet] : old;
  const minAvailable = wanted(deployment) - maxUnavailable(deployment);
  const newUnavailable = newSet ? wanted(newSet) - counterOf(newSet, 'availableReplicas') : 0;
  const mayGo = totalWanted(all) - minAvailable - newUnavailable;
  if (mayGo <= 0) return [];
  const sizes = new Map(old.map((set) => [set, wanted(set)]));
  const byAge = old.toSorted((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp));
  shrink(sizes, byAge, mayGo, (set, size) => size - counterOf(set, 'availableReplicas'));
  const available = totalOf(all, 'availableReplicas');
  if (available > minAvailable) shrink(sizes, byAge, available - minAvailable, (_set, size) => size);
  return [...sizes].flatMap(([set, size]) => (size === wanted(set) ? [] : [{ set, size }]));
}

function shrink(sizes: Map<ReplicaSet, number>, order: readonly ReplicaSet[], budget: number, mostOf: (set: ReplicaSet, size: number) => number): void {
  let left = budget;
  for (const set of order) {
    const size = sizes.get(set) ?? 0;
    const less = Math.max(0, Math.min(left, size, mostOf(set, size)));
    sizes.set(set, size - less);
    left -= less;
  }
}

/**
 * Scaling in the middle of a rollout spreads the difference over the active sets by their size.
 * @modelled pkg/controller/deployment/sync.go scale, v1.35
 */
export function proportionalSizes(deployment: Deployment, active: readonly ReplicaSet[]): Resize[] {
  const allowed = wanted(deployment) > 0 ? wanted(deployment) + maxSurge(deployment) : 0;
  const toAdd = allowed - totalWanted(active);
  const newestFirst = toAdd > 0 ? -1 : 1;
  const order = active.toSorted((a, b) => wanted(b) - wanted(a) || newestFirst * a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp));
  let added = 0;
  const sizes = order.map((set) => {
    const share = toAdd === 0 ? 0 : clampShare(fractionOf(deployment, set), toAdd - added);
    added += share;
    return { set, size: wanted(set) + share };
  });
  return sizes.map(({ set, size }, i) => ({ set, size: i === 0 ? Math.max(0, size + toAdd - added) : size }));
}

function clampShare(fraction: number, allowed: number): number {
  return allowed > 0 ? Math.min(fraction, allowed) : Math.max(fraction, allowed);
}

function fractionOf(deployment: Deployment, set: ReplicaSet): number {
  if (wanted(deployment) === 0) return -wanted(set);
  const before = Number(set.metadata.annotations?.[MAX_REPLICAS] ?? counterOf(deployment, 'replicas'));
  if (!(before > 0)) return 0;
  return Math.round((wanted(set) * (wanted(deployment) + maxSurge(deployment))) / before) - wanted(set);
}
