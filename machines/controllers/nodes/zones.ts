/** How many of a zone's nodes are down (ComputeZoneState, pkg/controller/nodelifecycle, v1.35). */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { Node } from '../../model/objects.ts';
import { readyStatus } from './node-conditions.ts';

export interface ZoneState {
  readonly disruption: 'none' | 'partial' | 'full';
}

const UNHEALTHY_ZONE_THRESHOLD = 0.55;

/**
 * full: no node ready; partial: more than two and at least 55 % not ready (then no node is evicted in zones of this size).
 * @modelled pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.35
 */
export function zoneStates(api: ApiServer, zoneOf: (node: Node) => string): Map<string, ZoneState> {
  const counts = new Map<string, { ready: number; notReady: number }>();
  for (const node of api.list('Node')) {
    const zone = zoneOf(node);
    let count = counts.get(zone);
    if (!count) counts.set(zone, (count = { ready: 0, notReady: 0 }));
    if (readyStatus(node) === 'True') count.ready++;
    else count.notReady++;
  }
  return new Map([...counts].map(([zone, count]) => [zone, { disruption: disruptionOf(count.ready, count.notReady) }]));
}

function disruptionOf(ready: number, notReady: number): ZoneState['disruption'] {
  if (ready === 0 && notReady > 0) return 'full';
  return notReady > 2 && notReady / (notReady + ready) >= UNHEALTHY_ZONE_THRESHOLD ? 'partial' : 'none';
}
