/** The person's hands on a simulated cluster. */
import type { World } from '../kernel/world.ts';
import type { Hands } from './hands.ts';

export function createHands(world: World): Hands {
  const volumeOfClaim = new Map<string, string>();
  world.api.watch('PersistentVolumeClaim', ({ object }) => {
    if (object.spec.volumeName !== undefined) volumeOfClaim.set(`${object.metadata.namespace ?? ''}/${object.metadata.name}`, object.spec.volumeName);
  });
  const volumeOf = (namespace: string, claim: string): string | undefined => volumeOfClaim.get(`${namespace}/${claim}`);
  return {
    kubectl: (command) => ({ code: 1, text: `not modelled: ${command}\n` }),
    exec: (namespace, pod, container, argv) => {
      const name = container ?? world.api.get('Pod', namespace, pod)?.spec.containers[0]?.name ?? '';
      const target = world.containers.get(`${namespace}/${pod}/${name}`);
      return target ? target.exec(argv, world.clock.now) : { stdout: '', stderr: `Error from server (NotFound): pods "${pod}" not found\n`, code: 1 };
    },
    nodeNamed: (name) => [...world.api.list('Node')].map((n) => n.metadata.name).find((n) => n === name || n.endsWith(`-${name}`)),
    nodeAction: (node, action) => {
      if (action === 'pause') world.pausedNodes.add(node);
      if (action === 'unpause') world.pausedNodes.delete(node);
    },
    volumeOf,
    attachmentOf: (namespace, claim) => {
      const volume = volumeOf(namespace, claim);
      return [...world.api.list('VolumeAttachment')].findLast((a) => a.spec.source.persistentVolumeName === volume)?.metadata.name;
    },
  };
}
