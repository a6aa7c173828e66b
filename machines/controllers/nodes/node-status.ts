/**
 * The kubelet's report on its node. At rest it reports nothing new; after a silence that the node controller noticed it
 * posts its conditions again.
 */
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import { readyStatus, withPostedConditions } from './node-conditions.ts';

/**
 * A thawed kubelet's first look still sees the node as it was before the silence, so the conditions come with the
 * second, one period later.
 * @recorded #node-down
 */
export function startNodeStatus(world: World): void {
  const returning = new Set<string>();
  const recorders = new Map([...world.api.list('Node')].map((node) => [node.metadata.name, world.recorder('kubelet', node.metadata.name)]));
  world.api.watch('Node', ({ verb, object }) => {
    const { name } = object.metadata;
    if (verb === 'DELETED' || readyStatus(object) === 'True' || returning.has(name)) return;
    returning.add(name);
    world.pausedNodes.whenRunning(name, () => {
      world.clock.after(timings.nodeStatus, () => {
        returning.delete(name);
        world.pausedNodes.whenRunning(name, () => {
          post(world, name, recorders.get(name));
        });
      });
    });
  });
}

function post(world: World, name: string, recorder: EventRecorder | undefined): void {
  const node = world.api.get('Node', undefined, name);
  if (!node || !recorder) return;
  const { events } = withPostedConditions(world, node);
  world.api.update('Node', undefined, name, (current) => withPostedConditions(world, current).node);
  for (const [i, reason] of events.entries()) {
    world.clock.after(i * timings.request, () => {
      recorder.event({ apiVersion: 'v1', kind: 'Node', name }, 'Normal', reason, `Node ${name} status is now: ${reason}`);
    });
  }
}
