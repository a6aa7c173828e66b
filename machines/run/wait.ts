/** When a scenario's `wait` is met (traces' README). */
import type { ApiServer } from '../kernel/api-server.ts';
import type { Condition, Kind, KubeEvent } from '../model/objects.ts';
import type { WaitStep } from '../trace/scenario.ts';

type Find = (target: string) => { kind: Kind; name: string } | undefined;

/** True when the condition of the step holds now. */
export function waitMet(api: ApiServer, wait: WaitStep['wait'], find: Find, namespace: string): boolean {
  if (wait.gone !== undefined) {
    const target = find(wait.gone);
    return target === undefined || api.get(target.kind, namespace, target.name) === undefined;
  }
  if (wait.event !== undefined) return eventSeen(api, wait, find, namespace);
  const target = wait.for === undefined ? undefined : find(wait.for);
  const object = target && api.get(target.kind, namespace, target.name);
  if (!object) return false;
  if (wait.condition !== undefined) {
    const conditions = (object as { status?: { conditions?: readonly Condition[] } }).status?.conditions ?? [];
    return conditions.some((c) => c.type === wait.condition && c.status === (wait.status ?? 'True'));
  }
  return String(valueAt(object, wait.path ?? '')) === String(wait.equals);
}

/** Met by the larger of an event's own count and the number of writes of that reason on that object. */
function eventSeen(api: ApiServer, wait: WaitStep['wait'], find: Find, namespace: string): boolean {
  const target = find(wait.on ?? '');
  if (!target) return false;
  let writes = 0;
  let largest = 0;
  for (const event of api.list('Event')) {
    if (event.reason !== wait.event || event.involvedObject.name !== target.name || event.involvedObject.kind !== target.kind) continue;
    if (event.involvedObject.namespace !== undefined && event.involvedObject.namespace !== namespace) continue;
    const count = countOf(event);
    writes += count;
    largest = Math.max(largest, count);
  }
  return Math.max(writes, largest) >= (wait.count ?? 1);
}

function countOf(event: KubeEvent): number {
  return event.count ?? event.series?.count ?? 1;
}

/** The value at a path like `status.containerStatuses[0].restartCount`; undefined where it ends early. */
export function valueAt(object: unknown, path: string): unknown {
  let value: unknown = object;
  for (const part of path.replace(/^\./, '').replaceAll(/\[(\d+)\]/g, '.$1').split('.').filter(Boolean)) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
