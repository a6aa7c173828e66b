/**
 * A node that no longer answers. What its kubelet reported stands in the API as it was, however long ago: a pod there may
 * say Running when nothing runs any more. Reference: node-down.
 */
import type { Trace } from '../../machines/trace/format.ts';
import { find, type World } from './world.ts';

export interface Silence {
  readonly node: string;
  /** When the node was last heard, seconds. */
  readonly since: number;
}

/** Is the node silent after record `index`: paused by the person and not woken, or `Ready: Unknown` for want of reports? */
export function silenceOf(trace: Trace, index: number, world: World, node: string): Silence | undefined {
  const paused = lastPause(trace, index, node);
  if (paused !== undefined) return paused.woken ? undefined : { node, since: paused.t };
  const ready = find(world, 'Node', undefined, node)?.object.status.conditions?.find((condition) => condition.type === 'Ready');
  if (ready?.status !== 'Unknown' || ready.lastHeartbeatTime === undefined) return undefined;
  return { node, since: Math.max(0, (Date.parse(ready.lastHeartbeatTime) - Date.parse(trace.recordedAt)) / 1000) };
}

function lastPause(trace: Trace, index: number, node: string): { readonly t: number; readonly woken: boolean } | undefined {
  for (let i = Math.min(index, trace.records.length - 1); i >= 0; i--) {
    const record = trace.records[i];
    if (record?.type !== 'step' || record.verb !== 'node' || String(record['node'] ?? record['name']) !== node) continue;
    if (record['action'] === 'pause' || record['action'] === 'unpause') return { t: record.t, woken: record['action'] === 'unpause' };
  }
  return undefined;
}
