/** Whatever people do to pods, claims, nodes and classes, in whatever order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startClaimProtection, startVolumeProtection } from '../../machines/controllers/claims/protection.ts';
import { startPersistentVolumeController } from '../../machines/controllers/claims/pv-controller.ts';
import { startProvisioners } from '../../machines/controllers/claims/provisioners.ts';
import { startEphemeralVolumeController } from '../../machines/controllers/ephemeral.ts';
import { explainFilters, runScheduler, viewOf } from '../../machines/controllers/scheduler/index.ts';
import type { NodeInfo } from '../../machines/controllers/scheduler/node-info.ts';
import { installAdmission } from '../../machines/admission/index.ts';
import { createDrivers } from '../../machines/drivers/index.ts';
import { createWorld, type World } from '../../machines/kernel/world.ts';
import type { AccessMode, AnyObject, Kind, Node, Pod } from '../../machines/model/objects.ts';
import { buildStage, type NodeRow } from '../../machines/run/stage.ts';
import { DISK, NAMESPACE, podDraft } from '../unit/scheduler-cluster.ts';

const NODES: readonly NodeRow[] = [
  { name: 'one', zone: 'a', drivers: [{ name: DISK, limit: 1 }] },
  { name: 'two', zone: 'a', drivers: [{ name: DISK }] },
  { name: 'three', zone: 'b', drivers: [{ name: DISK, limit: 2 }] },
];
const KINDS: readonly Kind[] = ['Node', 'Pod', 'PersistentVolume', 'PersistentVolumeClaim', 'StorageClass', 'CSINode', 'CSIDriver', 'VolumeAttachment'];
const TAINT = { key: 'closed', effect: 'NoSchedule' } as const;

type Act = (world: World) => void;
const below = (n: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: n - 1 });

/** One thing that somebody does; what cannot be done is not done. */
const act: fc.Arbitrary<{ readonly name: string; readonly run: Act; readonly afterMs: number }> = fc
  .oneof(
    { weight: 6, arbitrary: fc.record({ i: below(12), claims: fc.uniqueArray(below(4), { maxLength: 2 }), cpu: fc.constantFrom('100m', '900m', '1900m'), important: fc.integer({ min: 0, max: 5 }).map((n) => n === 0), zone: fc.option(fc.constantFrom('a', 'b'), { freq: 3 }), ephemeral: fc.integer({ min: 0, max: 3 }).map((n) => n === 0) }).map((pod) => ({ name: `pod ${JSON.stringify(pod)}`, run: createPod(pod) })) },
    { weight: 3, arbitrary: fc.record({ i: below(4), wait: fc.boolean(), mode: fc.constantFrom<AccessMode>('ReadWriteOnce', 'ReadWriteOncePod') }).map((claim) => ({ name: `claim ${JSON.stringify(claim)}`, run: createClaim(claim) })) },
    { weight: 2, arbitrary: below(12).map((i) => ({ name: `delete pod ${i}`, run: (world: World) => deleteIfThere(world, 'Pod', `p${i}`) })) },
    { weight: 2, arbitrary: below(12).map((i) => ({ name: `end pod ${i}`, run: endPod(i) })) },
    { weight: 1, arbitrary: below(4).map((i) => ({ name: `delete claim ${i}`, run: (world: World) => deleteIfThere(world, 'PersistentVolumeClaim', `c${i}`) })) },
    { weight: 1, arbitrary: below(3).map((i) => ({ name: `taint ${i}`, run: changeNode(i, (node) => ({ ...node, spec: { ...node.spec, taints: node.spec.taints?.length ? [] : [TAINT] } })) })) },
    { weight: 1, arbitrary: below(3).map((i) => ({ name: `cordon ${i}`, run: changeNode(i, (node) => ({ ...node, spec: { ...node.spec, unschedulable: !node.spec.unschedulable } })) })) },
  )
  .chain((made) => fc.constantFrom(0, 2, 5, 40, 700, 3_000).map((afterMs) => ({ ...made, afterMs })));

function createPod(pod: { readonly i: number; readonly claims: readonly number[]; readonly cpu: string; readonly important: boolean; readonly zone: string | null; readonly ephemeral: boolean }): Act {
  return (world) => {
    if (world.api.get('Pod', NAMESPACE, `p${pod.i}`)) return;
    const draft = podDraft(`p${pod.i}`, {
      claims: pod.claims.map((i) => `c${i}`),
      containers: [{ name: 'app', image: 'b:1', resources: { requests: { cpu: pod.cpu } } }],
      ...(pod.important ? { priorityClassName: 'system-cluster-critical' } : {}),
      ...(pod.zone === null ? {} : { nodeSelector: { 'topology.kubernetes.io/zone': pod.zone } }),
    });
    const scratch = { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'zonal-wait', accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage: '1Gi' } } } } } };
    world.api.create<'Pod'>(pod.ephemeral ? { ...draft, spec: { ...draft.spec, volumes: [...(draft.spec.volumes ?? []), scratch] } } : draft);
  };
}
function createClaim(claim: { readonly i: number; readonly wait: boolean; readonly mode: AccessMode }): Act {
  return (world) => {
    if (world.api.get('PersistentVolumeClaim', NAMESPACE, `c${claim.i}`)) return;
    world.api.create<'PersistentVolumeClaim'>({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: `c${claim.i}`, namespace: NAMESPACE, annotations: {} },
      spec: { storageClassName: claim.wait ? 'zonal-wait' : 'zonal-immediate', accessModes: [claim.mode], resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Pending' },
    });
  };
}
function deleteIfThere(world: World, kind: 'Pod' | 'PersistentVolumeClaim', name: string): void {
  if (world.api.get(kind, NAMESPACE, name)) world.api.delete(kind, NAMESPACE, name, kind === 'Pod' ? { graceSeconds: 0 } : {});
}
/** What the kubelet writes when a container ends: only for a pod on a node. */
function endPod(i: number): Act {
  return (world) => {
    world.api.updateIfPresent('Pod', NAMESPACE, `p${i}`, (pod): Pod => (pod.spec.nodeName === undefined ? pod : { ...pod, status: { ...pod.status, phase: 'Succeeded' } }));
  };
}
function changeNode(i: number, change: (node: Node) => Node): Act {
  return (world) => {
    world.api.update('Node', undefined, NODES[i]?.name ?? '', change);
  };
}

function start(): { readonly world: World; readonly scheduler: ReturnType<typeof runScheduler> } {
  const world = createWorld({ stage: buildStage(NODES), choices: { nodeOfPod: {}, zoneOfVolume: {} }, seed: 1, drivers: createDrivers });
  installAdmission(world);
  startEphemeralVolumeController(world);
  const scheduler = runScheduler(world);
  for (const startOther of [startPersistentVolumeController, startProvisioners, startClaimProtection, startVolumeProtection]) startOther(world);
  // Instead of a kubelet: a pod that is to go, goes.
  world.api.watch('Pod', ({ verb, object }) => {
    if (verb === 'MODIFIED' && object.metadata.deletionTimestamp !== undefined && object.spec.nodeName !== undefined && (object.metadata.deletionGracePeriodSeconds ?? 0) > 0) deleteIfThere(world, 'Pod', object.metadata.name);
  });
  return { world, scheduler };
}

function objectsOf(world: World): AnyObject[] {
  return KINDS.flatMap((kind) => [...world.api.list(kind)] as AnyObject[]);
}
/** What a node's bookkeeping says, zeros left out. */
function ledger(info: NodeInfo | undefined): unknown {
  return { pods: [...(info?.pods.keys() ?? [])].toSorted(), cpu: info?.requested.get('cpu') ?? 0, owners: [...(info?.owners.values() ?? [])].filter((n) => n > 0), nonZero: info?.nonZero, volumes: info?.volumes.inUse(DISK) };
}

describe('the scheduler', () => {
  it('keeps its books right, leaves no pod lying that fits, and never breaks a limit', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 20, maxLength: 80 }), (acts) => {
        const { world, scheduler } = start();
        for (const { run, afterMs } of acts) {
          run(world);
          world.clock.runUntil(world.clock.now + afterMs);
        }
        world.clock.runUntil(world.clock.now + 60_000);
        const objects = objectsOf(world);
        const fresh = viewOf(objects);
        for (const { name } of NODES) expect(ledger(scheduler.cache.node(name))).toEqual(ledger(fresh.node(name)));
        const pods = [...world.api.list('Pod')].filter((pod) => pod.metadata.namespace === NAMESPACE);
        for (const pod of pods.filter((candidate) => candidate.spec.nodeName === undefined && !pods.some((other) => other.status.nominatedNodeName !== undefined && other !== candidate))) {
          expect({ pod: pod.metadata.name, message: explainFilters(pod, objects).message }).toMatchObject({ message: expect.any(String) });
        }
        for (const { name, drivers } of NODES) expect(fresh.node(name)?.volumes.inUse(DISK) ?? 0).toBeLessThanOrEqual(drivers[0]?.limit ?? Infinity);
        for (const claim of world.api.list('PersistentVolumeClaim')) {
          if (claim.spec.accessModes?.includes('ReadWriteOncePod')) expect(fresh.claimUsers(`${NAMESPACE}/${claim.metadata.name}`)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
