import { describe, expect, it } from 'vitest';
import { simulate } from '../../machines/index.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { Step } from '../../machines/trace/scenario.ts';
import { compare } from '../../src/validator/compare.ts';
import type { Fact } from '../../src/validator/fact.ts';
import { factsOf } from '../../src/validator/facts.ts';
import { Dropped } from '../../src/validator/ignored.ts';
import { namesOf } from '../../src/validator/names.ts';
import { outputLines } from '../../src/validator/output-lines.ts';

function runOf(steps: readonly Step[], seed: number): Trace {
  return simulate({ id: 'free', title: 'free', covers: ['schedule'], namespace: 'ab-free', steps }, { seed });
}

/** The differences of one run with another, but for where a pod or volume came to be. */
function differences(run: Trace, other: Trace): string[] {
  return compare(factsOf(run), [factsOf(other)]).differences.flatMap(({ kind, type, subject, expected, found }) => (kind === 'choice' ? [] : [`${type} ${subject}: ${expected} | ${found}`]));
}

/** Nodes in the order in which the scheduler chose them. */
function chosenNodes(trace: Trace): string[] {
  return trace.records.flatMap(record => (record.type === 'watch' && record.object.kind === 'Pod' && record.object.status.nominatedNodeName !== undefined ? [record.object.status.nominatedNodeName] : []));
}

const pod = '{apiVersion: v1, kind: Pod, metadata: {name: first}, spec: {containers: [{name: app, image: "registry.local/busybox:1.36", command: [sleep, "86400"], volumeMounts: [{name: disk, mountPath: /data}]}], volumes: [{name: disk, persistentVolumeClaim: {claimName: disk}}]}}';
const claim = '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: disk}, spec: {storageClassName: full, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}';
const waitingClass = (fault: string): Step => ({ apply: `{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: full}, provisioner: disk.csi.after-bound.dev, volumeBindingMode: WaitForFirstConsumer, parameters: {fail.CreateVolume: "${fault}"}}` });

describe('the node that a scheduling attempt chose', () => {
  const forEver: Step[] = [waitingClass('Internal x0: no'), { apply: claim }, { apply: pod }, { wait: { event: 'ProvisioningFailed', on: 'pvc/disk', count: 2, timeout: 60 } }, { run: 'kubectl describe pod first' }, { run: 'kubectl describe pvc disk' }];
  const runs = [1, 2, 3, 4, 5, 6, 7, 8].map(seed => runOf(forEver, seed));
  const [first, ...others] = runs as [Trace, ...Trace[]];
  const other = others.find(run => chosenNodes(run)[0] !== chosenNodes(first)[0]) ?? expect.fail('every seed chose the same node');

  it('is free where the pod never comes to run, with all that follows from it', () => {
    expect(differences(first, other)).toEqual([]);
  });

  it('is free in each of several attempts', () => {
    const steps: Step[] = [waitingClass('ResourceExhausted x2: full'), { apply: claim }, { apply: pod }, { wait: { for: 'pod/first', condition: 'Ready', timeout: 120 } }];
    const many = [1, 2, 3, 4, 5, 6, 7, 8].map(seed => runOf(steps, seed));
    const wandering = many.find(run => new Set(chosenNodes(run)).size > 1) ?? expect.fail('no run chose two nodes');
    const settled = many.find(run => new Set(chosenNodes(run)).size === 1) ?? expect.fail('every run chose two nodes');
    const chosen = (run: Trace): string[] => factsOf(run).facts.flatMap(({ text }) => (/changed (status.nominatedNodeName|metadata.annotations.volume.kubernetes.io\/selected-node)=/.test(text) ? [text] : []));
    expect(new Set(chosen(wandering))).toEqual(new Set(chosen(settled)));
  });
});

describe('the claim of an ephemeral volume', () => {
  it('is called after what its pod stands for where the pod has a generated name', () => {
    const volume = '{name: d, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: zonal-wait, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}}}';
    const deployment = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {nodeSelector: {kubernetes.io/hostname: ab-worker}, containers: [{name: app, image: "registry.local/busybox:1.36", command: [sleep, "86400"], volumeMounts: [{name: d, mountPath: /d}]}], volumes: [${volume}]}}}}`;
    const steps: Step[] = [{ apply: deployment }, { wait: { for: 'deployment/web', path: 'status.readyReplicas', equals: 1, timeout: 120 } }, { run: 'kubectl get pvc' }];
    const [one, two] = [runOf(steps, 1), runOf(steps, 2)];
    const ids = [one, two].map(run => new Set(factsOf(run).facts.flatMap(({ subject }) => (subject.startsWith('pvc/') ? [subject] : []))));
    expect(ids).toEqual([new Set(['pvc/pod-1-of(replicaset-1-of(web))-d']), new Set(['pvc/pod-1-of(replicaset-1-of(web))-d'])]);
    expect(differences(one, two)).toEqual([]);
  });
});

describe('order', () => {
  const fact = (kind: Fact['kind'], text: string, index: number): Fact => ({ kind, subject: 's', text, lane: 's', index, t: index });
  const nothing = { shownFrom: new Map<string, number>(), moments: new Map<string, never>() };
  const reversed = (kind: Fact['kind'], a: string, b: string): number =>
    compare({ ...nothing, facts: [fact(kind, a, 0), fact(kind, b, 1)] }, [{ ...nothing, facts: [fact(kind, b, 0), fact(kind, a, 1)] }]).differences.length;

  it('of what befalls two volumes of a pod is free, of one volume it is not', () => {
    const event = (reason: string, volume: string) => `Warning ${reason} from kubelet: failed for volume "${volume}" : no`;
    expect(reversed('event', event('FailedMount', 'a'), event('FailedMount', 'b'))).toBe(0);
    expect(reversed('event', event('FailedAttachVolume', 'a'), event('SuccessfulAttachVolume', 'a'))).toBe(1);
    expect(reversed('event', event('FailedMount', 'a'), 'Normal Started from kubelet: Container started')).toBe(1);
  });

  it('of pods that a ReplicaSet makes side by side is free, of making and deleting it is not', () => {
    const event = (what: string, pod: string) => `Normal SuccessfulCreate from replicaset-controller: ${what} pod: ${pod}`;
    expect(reversed('event', event('Created', 'one'), event('Created', 'two'))).toBe(0);
    expect(reversed('event', event('Created', 'one'), event('Deleted', 'one'))).toBe(1);
  });

  it('of containers that are stopped at once is free', () => {
    const event = (reason: string, container: string) => `Normal ${reason} from kubelet: Stopping container ${container} (spec.containers{${container}})`;
    expect(reversed('event', event('Killing', 'one'), event('Killing', 'two'))).toBe(0);
    expect(reversed('event', event('Started', 'one'), event('Started', 'two'))).toBe(1);
  });

  it('of calls on two nodes is free, on one node or at the controller it is not', () => {
    expect(reversed('csi', 'NodePublishVolume on node-of(a) {} -> OK', 'NodePublishVolume on node-of(b) {} -> OK')).toBe(0);
    expect(reversed('csi', 'ControllerUnpublishVolume on controller {"node_id":"node-of(a)"} -> OK', 'ControllerUnpublishVolume on controller {"node_id":"node-of(b)"} -> OK')).toBe(0);
    expect(reversed('csi', 'ControllerUnpublishVolume on controller {"node_id":"node-of(a)"} -> OK', 'ControllerPublishVolume on controller {"node_id":"node-of(b)"} -> OK')).toBe(1);
    expect(reversed('csi', 'NodeStageVolume on node-of(a) {} -> OK', 'NodePublishVolume on node-of(a) {} -> OK')).toBe(1);
    expect(reversed('csi', 'NodeUnstageVolume on node-of(a) {} -> OK', 'ControllerUnpublishVolume on controller {} -> OK')).toBe(1);
  });
});

describe('a list of pods that comes out of a map', () => {
  const names = namesOf(runOf([{ settle: 1 }], 1));
  const same = (a: string, b: string): boolean => names.text(a) === names.text(b);

  it('may have any order, but no other pods', () => {
    const refused = (pods: string) => `Multi-Attach error for volume "pv" Volume is already used by pod(s) ${pods}`;
    expect(same(refused('one, two and 1 pod(s) in different namespaces'), refused('two, one and 1 pod(s) in different namespaces'))).toBe(true);
    expect(same(refused('one, two'), refused('one, three'))).toBe(false);
    expect(same('waiting for pods one,two to be scheduled', 'waiting for pods two,one to be scheduled')).toBe(true);
    expect(same('waiting for pods one,two to be scheduled', 'waiting for pods one,one to be scheduled')).toBe(false);
  });
});

describe('what a command prints', () => {
  const trace = runOf([{ settle: 1 }], 1);
  const lines = (text: string): string[] => outputLines(`${text}\n`, '', namesOf(trace), new Dropped(), 'exact');

  it('is free in the version of an object', () => {
    expect(lines('  resourceVersion: "4711"')).toEqual(lines('  resourceVersion: "4712"'));
    expect(lines('  generation: "4711"')).not.toEqual(lines('  generation: "4712"'));
  });

  it('is free in the number of a file system without a device, and in when a Secret was written', () => {
    const row = (number: string, time: string, place: string) => lines(`712 698 ${number} /..${time}/token ${place} ro,relatime - tmpfs tmpfs rw,size=24684096k`);
    expect(row('0:300', '2026_01_01_00_01_00.1408124475', '/etc/tok')).toEqual(row('0:71', '2026_11_01_10_31_07.2', '/etc/tok'));
    expect(row('254:0', '2026_01_01_00_01_00.1', '/etc/tok')).not.toEqual(row('254:1', '2026_01_01_00_01_00.1', '/etc/tok'));
    expect(row('0:1', '2026_01_01_00_01_00.1', '/etc/tok')).not.toEqual(row('0:1', '2026_01_01_00_01_00.1', '/etc/other'));
  });
});

describe('what describe says of several pods', () => {
  const page = (names: readonly string[]): Trace => {
    const trace = runOf([{ run: 'kubectl describe pod -l app=web' }], 1);
    const text = names.map(name => `Name:         ${name}\nNode:         <none>\nEvents:\n  Type    Reason   Age   From     Message\n  Normal  Killing  1s    kubelet  Stopping ${name}\n`).join('\n\n');
    return { ...trace, records: trace.records.map(record => (record.type === 'step' ? { ...record, text } : record)) };
  };

  it('may come pod by pod in any order, for it is sorted by generated names', () => {
    expect(differences(page(['one', 'two']), page(['two', 'one']))).toEqual([]);
  });

  it('keeps its order for each pod', () => {
    const [good, bad] = [page(['one']), page(['one'])];
    const turned = bad.records.map(record => (record.type === 'step' ? { ...record, text: String(record['text']).replace('Node:         <none>\nEvents:', 'Events:\nNode:         <none>') } : record));
    expect(differences({ ...bad, records: turned }, good).length).toBeGreaterThan(0);
  });
});
