import { describe, expect, it } from 'vitest';
import type { World } from '../../machines/kernel/world.ts';
import { startCluster } from '../../machines/run/simulate.ts';
import { applyManifest } from '../../machines/run/apply.ts';
import { manifestObjects } from '../../machines/run/manifest.ts';
import { changeTaint } from '../../machines/run/taints.ts';
import type { Node, Pod } from '../../machines/model/objects.ts';

const NS = 'default';

function cluster(manifest = ''): World {
  const world = startCluster();
  for (const object of manifestObjects(manifest)) expect(applyManifest(world.api, object, NS)).toBeUndefined();
  pass(world, 10);
  return world;
}
function pass(world: World, seconds: number): void {
  world.clock.runUntil(world.clock.now + seconds * 1000);
}
function pod(name: string, node: string, extra = ''): string {
  return `
---
apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  terminationGracePeriodSeconds: 1
  nodeSelector: {kubernetes.io/hostname: ${node}}
  ${extra}
  containers: [{name: app, image: "busybox:1.36", command: [sh, -c, "sleep 86400"]}]`;
}
const tolerateFor = (seconds: number): string => `tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: ${seconds}}]`;
const getNode = (world: World, name: string): Node => world.api.get('Node', undefined, name) as Node;
const getPod = (world: World, name: string): Pod | undefined => world.api.get('Pod', NS, name);
const ready = (object: Node | Pod | undefined): string | undefined => object?.status.conditions?.find((condition) => condition.type === 'Ready')?.status;
const taints = (world: World, node: string): string[] => (getNode(world, node).spec.taints ?? []).map((taint) => `${taint.key}:${taint.effect}`);
const reasons = (world: World, name: string): string[] => [...world.api.list('Event')].filter((event) => event.involvedObject.name === name).map((event) => event.reason);
function taint(world: World, node: string, action: 'taint' | 'untaint', text: string): void {
  world.api.update('Node', undefined, node, (object) => changeTaint(object, action, text));
}
/** Seconds until the condition holds, looking every 0.1 s; fails after `limit`. */
function secondsUntil(world: World, limit: number, holds: () => boolean): number {
  const start = world.clock.now;
  while (!holds()) {
    if (world.clock.now - start > limit * 1000) throw new Error(`not within ${limit} s`);
    world.clock.runUntil(world.clock.now + 100);
  }
  return (world.clock.now - start) / 1000;
}
const UNREACHABLE = 'node.kubernetes.io/unreachable';

describe('a node that stops answering', () => {
  it('is Unknown after 50 s of grace and at most two periods of looking, whatever the seed', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const world = startCluster({ seed });
      pass(world, 20);
      world.pausedNodes.add('ab-worker2');
      const waited = secondsUntil(world, 90, () => ready(getNode(world, 'ab-worker2')) === 'Unknown');
      expect(waited).toBeGreaterThanOrEqual(40);
      expect(waited).toBeLessThanOrEqual(65);
    }
  });

  it('keeps its last heartbeat time, and every condition its kubelet posted says why', () => {
    const world = cluster();
    const before = getNode(world, 'ab-worker2').status.conditions ?? [];
    world.pausedNodes.add('ab-worker2');
    pass(world, 70);
    const after = getNode(world, 'ab-worker2').status.conditions ?? [];
    expect(after.map((condition) => [condition.type, condition.status, condition.reason])).toEqual(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => [type, 'Unknown', 'NodeStatusUnknown']));
    expect(after.map((condition) => condition.lastHeartbeatTime)).toEqual(before.map((condition) => condition.lastHeartbeatTime));
  });

  it('gets both unreachable taints, and its pods are no longer Ready though their containers are', () => {
    const world = cluster(pod('first', 'ab-worker2'));
    world.pausedNodes.add('ab-worker2');
    pass(world, 70);
    expect(taints(world, 'ab-worker2')).toEqual([`${UNREACHABLE}:NoSchedule`, `${UNREACHABLE}:NoExecute`]);
    expect(ready(getPod(world, 'first'))).toBe('False');
    expect(getPod(world, 'first')?.status.containerStatuses?.[0]?.ready).toBe(true);
    expect(reasons(world, 'first')).toContain('NodeNotReady');
  });

  it('lets a pod live for as long as it tolerates the taint, 300 s by default', () => {
    const world = cluster(pod('brief', 'ab-worker2', tolerateFor(5)) + pod('usual', 'ab-worker2') + pod('patient', 'ab-worker2', `tolerations: [{key: ${UNREACHABLE}, operator: Exists, effect: NoExecute}]`));
    world.pausedNodes.add('ab-worker2');
    const tainted = (): boolean => taints(world, 'ab-worker2').length === 2;
    secondsUntil(world, 90, tainted);
    const evicted = (name: string) => (): boolean => getPod(world, name)?.metadata.deletionTimestamp !== undefined;
    expect(secondsUntil(world, 10, evicted('brief'))).toBeCloseTo(5, 0);
    expect(secondsUntil(world, 400, evicted('usual'))).toBeCloseTo(295, 0);
    pass(world, 600);
    expect(evicted('patient')()).toBe(false);
  });

  it('keeps an evicted pod in the API for ever: nobody on the node confirms its end', () => {
    const world = cluster(pod('first', 'ab-worker2', tolerateFor(5)));
    world.pausedNodes.add('ab-worker2');
    pass(world, 900);
    expect(getPod(world, 'first')?.metadata.deletionTimestamp).toBeDefined();
  });

  it('that returns before the eviction keeps its pods, and the eviction is taken back', () => {
    const world = cluster(pod('first', 'ab-worker2'));
    world.pausedNodes.add('ab-worker2');
    pass(world, 100);
    world.pausedNodes.delete('ab-worker2');
    pass(world, 30);
    expect(taints(world, 'ab-worker2')).toEqual([]);
    expect([ready(getNode(world, 'ab-worker2')), ready(getPod(world, 'first'))]).toEqual(['True', 'True']);
    expect([...world.api.list('Event')].map((event) => event.message)).toContain(`Cancelling deletion of Pod ${NS}/first`);
  });

  it('marked out-of-service loses its terminating pods at the next look of the collector', () => {
    const world = cluster(pod('first', 'ab-worker2'));
    world.pausedNodes.add('ab-worker2');
    pass(world, 100);
    taint(world, 'ab-worker2', 'taint', 'node.kubernetes.io/out-of-service=nodeshutdown:NoExecute');
    expect(secondsUntil(world, 30, () => getPod(world, 'first') === undefined)).toBeLessThanOrEqual(21);
  });
});

describe('evictions slow down', () => {
  it('to one node of a zone in 10 s', () => {
    const world = cluster();
    world.pausedNodes.add('ab-worker');
    world.pausedNodes.add('ab-worker2');
    const noExecute = (node: string) => (): boolean => taints(world, node).includes(`${UNREACHABLE}:NoExecute`);
    secondsUntil(world, 90, () => noExecute('ab-worker')() || noExecute('ab-worker2')());
    const second = noExecute('ab-worker')() ? 'ab-worker2' : 'ab-worker';
    expect(secondsUntil(world, 20, noExecute(second))).toBeGreaterThanOrEqual(9);
  });

  it('to none when no node of any zone answers: then it is the control plane that is cut off', () => {
    const world = cluster(pod('first', 'ab-worker2', tolerateFor(60)));
    for (const node of ['ab-control-plane', 'ab-worker', 'ab-worker2', 'ab-worker3']) world.pausedNodes.add(node);
    pass(world, 300);
    expect(taints(world, 'ab-worker2')).toEqual([`${UNREACHABLE}:NoSchedule`]);
    expect(getPod(world, 'first')?.metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('a NoExecute taint set by hand', () => {
  it('evicts at once a pod that does not tolerate it, and the kubelet lets it go', () => {
    const world = cluster(pod('first', 'ab-worker2'));
    taint(world, 'ab-worker2', 'taint', 'maintenance=yes:NoExecute');
    pass(world, 10);
    expect(getPod(world, 'first')).toBeUndefined();
    expect(reasons(world, 'first')).toContain('TaintManagerEviction');
  });
  it('leaves the others alone', () => {
    const world = cluster(pod('first', 'ab-worker2', 'tolerations: [{key: maintenance, operator: Exists}]'));
    taint(world, 'ab-worker2', 'taint', 'maintenance=yes:NoExecute');
    pass(world, 10);
    expect(getPod(world, 'first')?.metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('a Node object that is deleted', () => {
  it('takes its pods with it after the quarantine of 40 s, with the reason in a condition', () => {
    const world = cluster(pod('first', 'ab-worker3'));
    const seen: (string | undefined)[] = [];
    world.api.watch('Pod', ({ object }) => seen.push(object.status.conditions?.find((condition) => condition.type === 'DisruptionTarget')?.reason));
    world.pausedNodes.add('ab-worker3');
    world.api.delete('Node', undefined, 'ab-worker3');
    const waited = secondsUntil(world, 90, () => getPod(world, 'first') === undefined);
    expect(waited).toBeGreaterThanOrEqual(40);
    expect(seen).toContain('DeletionByPodGC');
  });
});

describe('a cordoned node', () => {
  it('carries the unschedulable taint as long as it is cordoned', () => {
    const world = cluster();
    world.api.update('Node', undefined, 'ab-worker3', (node) => ({ ...node, spec: { ...node.spec, unschedulable: true } }));
    pass(world, 1);
    expect(taints(world, 'ab-worker3')).toEqual(['node.kubernetes.io/unschedulable:NoSchedule']);
    world.api.update('Node', undefined, 'ab-worker3', (node) => ({ ...node, spec: { ...node.spec, unschedulable: undefined } }));
    pass(world, 1);
    expect(taints(world, 'ab-worker3')).toEqual([]);
  });

  it('is a record of the trace with its taint only, as the recorder shows a node for its taints, conditions and volume lists', () => {
    const world = cluster();
    world.api.update('Node', undefined, 'ab-worker3', (node) => ({ ...node, spec: { ...node.spec, unschedulable: true } }));
    pass(world, 1);
    const shown = world.trace.records.flatMap((record) => (record.type === 'watch' && record.object.kind === 'Node' ? [record.object.spec] : []));
    expect(shown).toEqual([expect.objectContaining({ unschedulable: true, taints: [expect.objectContaining({ key: 'node.kubernetes.io/unschedulable' })] })]);
  });
});

describe('the kubelet of a node', () => {
  const said = (world: World) => world.trace.records.flatMap((record) => (record.type === 'watch' && record.object.kind === 'Event' && record.object.involvedObject.kind === 'Node' ? [record.object.message] : []));
  const cordon = (world: World, unschedulable: true | undefined) => world.api.update('Node', undefined, 'ab-worker3', (node) => ({ ...node, spec: { ...node.spec, unschedulable } }));

  it('says within its status period that the node was cordoned, and that it is no longer', () => {
    const world = cluster();
    cordon(world, true);
    pass(world, 11);
    expect(said(world)).toEqual(['Node ab-worker3 status is now: NodeNotSchedulable']);
    cordon(world, undefined);
    pass(world, 11);
    expect(said(world).at(-1)).toBe('Node ab-worker3 status is now: NodeSchedulable');
    pass(world, 60);
    expect(said(world)).toHaveLength(2);
  });

  it('says nothing of a cordon that was over before it looked', () => {
    const world = cluster();
    cordon(world, true);
    cordon(world, undefined);
    pass(world, 30);
    expect(said(world)).toEqual([]);
  });
});

describe('heartbeats', () => {
  it('are no records of a trace', () => {
    const world = cluster();
    pass(world, 60);
    expect(world.trace.records.filter((record) => record.type === 'watch' && record.object.kind === 'Lease')).toEqual([]);
  });
});
