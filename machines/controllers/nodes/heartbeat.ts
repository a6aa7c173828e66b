/**
 * The kubelet's sign of life: it renews its node's Lease every 10 s (a quarter of the 40 s that a lease lasts,
 * pkg/kubelet/kubelet.go, v1.35). A node that stands still renews nothing; a thawed one renews at once.
 */
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Lease, Node } from '../../model/objects.ts';

export const LEASE_NAMESPACE = 'kube-node-lease';

/** Starts the heartbeats of the nodes that stand on the stage. A Node made later has no kubelet behind it. */
export function startHeartbeats(world: World): void {
  for (const node of world.api.list('Node')) {
    world.api.seed(leaseOf(world, node));
    const beat = (): void => {
      world.pausedNodes.whenRunning(node.metadata.name, () => {
        renew(world, node.metadata.name);
        world.clock.after(timings.leaseRenewal, beat);
      });
    };
    world.clock.after(world.random.between(0, timings.leaseRenewal), beat);
  }
}

function renew(world: World, node: string): void {
  world.api.updateIfPresent('Lease', LEASE_NAMESPACE, node, (lease) => ({ ...lease, spec: { ...lease.spec, renewTime: microTime(world) } }));
}

function leaseOf(world: World, node: Node): Lease {
  const { name, uid } = node.metadata;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      creationTimestamp: node.metadata.creationTimestamp,
      name,
      namespace: LEASE_NAMESPACE,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
      resourceVersion: '0',
      uid: world.random.uuid(),
    },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime(world) },
  };
}

function microTime(world: World): string {
  return new Date(world.api.unixMs).toISOString().replace('Z', '000Z');
}
