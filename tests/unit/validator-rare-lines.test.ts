import { describe, expect, it } from 'vitest';
import { simulate } from '../../machines/index.ts';
import type { LogRecord } from '../../machines/trace/format.ts';
import type { Scenario, Step } from '../../machines/trace/scenario.ts';
import { parseLogLine } from '../../src/validator/log-line.ts';
import { namesOf } from '../../src/validator/names.ts';
import { statesInLog, statesInRun } from '../../src/validator/state-facts.ts';
import { matches, witnesses } from '../../src/validator/witness.ts';

const nobodyWaits = { waitsForConsumer: () => false };

/** The states that one log line shows, as `machine.state`. */
function shownBy(component: LogRecord['component'], source: string, text: string): string[] {
  const line = parseLogLine({ type: 'log', t: 0, component, node: 'ab-worker', severity: 'I', source, text });
  const found = witnesses.filter(witness => matches(witness, line));
  expect(found.length).toBeLessThan(2);
  return found.flatMap(witness => witness.read(line, nobodyWaits)).map(({ machine, state }) => `${machine}.${state}`);
}

/** What the log of a run like this one would show of a machine's instance. */
function visited(steps: readonly Step[], machine: string, about: string): string[] {
  const scenario: Scenario = { id: 'rare', title: 'rare', covers: ['mount'], namespace: 'ab-rare', steps };
  const trace = simulate(scenario);
  expect(trace.failed).toBeNull();
  return statesInRun(trace, namesOf(trace)).flatMap(seen => (seen.machine === machine && seen.key.includes(about) ? [seen.state] : []));
}

const pod = (name: string, volumes: string, more = '') => `{apiVersion: v1, kind: Pod, metadata: {name: ${name}}, spec: {terminationGracePeriodSeconds: 1, ${more} containers: [{name: app, image: 'registry.local/busybox:1.36', command: [sleep, '86400'], volumeMounts: [{name: disk, mountPath: /data}]}], volumes: [${volumes}]}}`;

describe('a log line of a rare case', () => {
  const failed = (step: string) => `Operation for "{volumeName:kubernetes.io/csi/disk.csi.after-bound.dev^vol-1 podName: nodeName:}" failed. No retries permitted until 2026-11-01 10:00:00 +0000 UTC m=+1.0 (durationBeforeRetry 500ms). Error: ${step} failed for volume "pv" (UniqueName: "kubernetes.io/csi/disk.csi.after-bound.dev^vol-1") pod "first" (UID: "00000000-0000-0000-0000-000000000001") : no`;

  it('of a claim that finishes its binding to the volume reserved for it shows the binding', () => {
    expect(shownBy('controller-manager', 'pv_controller.go', '"Synchronizing unbound PersistentVolumeClaim, volume already bound, finishing the binding" PVC="ab/disk" volumeName="by-hand"')).toEqual(['claim-binding.binding']);
    expect(shownBy('controller-manager', 'pv_controller.go', '"Synchronizing bound PersistentVolumeClaim, volume is unbound, fixing" PVC="ab/disk" volumeName="by-hand"')).toEqual(['claim-binding.binding']);
  });

  it.each(['MountVolume.NodeAffinity check', 'MountVolume.NewMounter initialization', 'MountVolume.MountOptionSupport check', 'MountVolume.SetUp', 'MapVolume.MapPodDevice'])('of a failed %s shows a publish that failed', step => {
    expect(shownBy('kubelet', 'nestedpendingoperations.go', failed(step))).toEqual(['kubelet-volume.publishFailed']);
  });

  it.each(['MountVolume.WaitForAttach', 'MountVolume.MountDevice', 'MapVolume.SetUpDevice'])('of a failed %s shows a stage that failed', step => {
    expect(shownBy('kubelet', 'nestedpendingoperations.go', failed(step))).toEqual(['kubelet-volume.stageFailed']);
  });

  it('of a CSI volume that is written into its pod shows no waiting for an attach', () => {
    const line = (name: string) => `operationExecutor.VerifyControllerAttachedVolume started for volume "disk" (UniqueName: "kubernetes.io/csi/${name}") pod "first" (UID: "00000000-0000-0000-0000-000000000001") `;
    expect(shownBy('kubelet', 'reconciler_common.go', line('00000000-0000-0000-0000-000000000001-disk'))).toEqual([]);
    expect(shownBy('kubelet', 'reconciler_common.go', line('disk.csi.after-bound.dev^vol-1'))).toEqual(['kubelet-volume.waitingForAttach']);
  });

  it('of a Pending claim that names its volume shows that it waits for the volume, whatever its class', () => {
    const claim = (spec: string): Step => ({ apply: `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: disk}, spec: {storageClassName: zonal-wait, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}${spec}}}` });
    const shown = (spec: string): string[] => {
      const trace = simulate({ id: 'rare', title: 'rare', covers: ['bind'], namespace: 'ab-rare', steps: [claim(spec), { settle: 1 }] });
      const log = { type: 'log', t: 1, component: 'controller-manager', node: null, severity: 'I', source: 'pv_controller.go', text: '"Updating PersistentVolumeClaim status" PVC="ab-rare/disk" setPhase="Pending"' } as const;
      const records = [...trace.records, log];
      return statesInLog({ ...trace, records }, namesOf(trace)).map(({ state }) => state);
    };
    expect(shown('')).toEqual(['waitingForFirstConsumer']);
    expect(shown(', volumeName: absent')).toEqual(['waitingForVolume']);
  });
});

describe('a state that no log tells of', () => {
  const claim: Step = { apply: '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: disk}, spec: {storageClassName: zonal-immediate, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}' };
  const ready: Step = { wait: { for: 'pod/first', condition: 'Ready', timeout: 120 } };

  it('is the reservation of a pod without claims', () => {
    expect(visited([{ apply: pod('first', '{name: disk, emptyDir: {}}') }, ready], 'scheduling', 'pod/first')).toEqual(['queued', 'filtering', 'binding', 'bound']);
    expect(visited([claim, { apply: pod('first', '{name: disk, persistentVolumeClaim: {claimName: disk}}') }, { wait: { for: 'pod/first', condition: 'Ready', timeout: 120 } }], 'scheduling', 'pod/first')).toContain('reserved');
  });

  it('is the end of an attachment that somebody else took away', () => {
    const attached = visited([claim, { apply: pod('first', '{name: disk, persistentVolumeClaim: {claimName: disk}}') }, ready, { delete: { target: 'va-of/disk', wait: false } }, { settle: 150 }], 'attach', 'handle-of(volume-of(disk))');
    expect(attached).toEqual(['attaching', 'attached', 'attaching', 'attached']);
  });
});

describe('a device whose staging was left without a final answer', () => {
  it('is unstaged when the pod goes, and the log says so', () => {
    const steps: Step[] = [
      { apply: '{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: away}, provisioner: disk.csi.after-bound.dev, parameters: {fail.NodeStageVolume: "Unavailable x0: node plug-in is busy"}}' },
      { apply: '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: disk}, spec: {storageClassName: away, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}' },
      { apply: pod('first', '{name: disk, persistentVolumeClaim: {claimName: disk}}') },
      { wait: { event: 'FailedMount', on: 'pod/first', count: 2, timeout: 60 } },
      { delete: { target: 'pod/first', wait: true } },
      { settle: 15 },
    ];
    expect(visited(steps, 'kubelet-device', 'handle-of(volume-of(disk))')).toEqual(['unstaging', 'unstaged']);
  });
});

describe('a volume that was only reserved and never bound', () => {
  it('is none of those that the log is known to tell of', () => {
    const volume = (name: string, size: string) => `{apiVersion: v1, kind: PersistentVolume, metadata: {name: ${name}}, spec: {capacity: {storage: ${size}}, accessModes: [ReadWriteOnce], storageClassName: '', claimRef: {namespace: ab-rare, name: disk}, hostPath: {path: /tmp/${name}}}}`;
    const claim: Step = { apply: "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: disk}, spec: {storageClassName: '', accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}" };
    const trace = simulate({ id: 'rare', title: 'rare', covers: ['bind'], namespace: 'ab-rare', steps: [{ apply: volume('small', '32Mi') }, { apply: volume('large', '64Mi') }, claim, { settle: 2 }] });
    const known = (name: string) => new Set(statesInRun(trace, namesOf(trace)).flatMap(seen => (seen.machine === 'volume' && seen.key === `pv/${name}` ? [seen.known] : [])));
    expect(known('small')).toEqual(new Set([false]));
    expect(known('large')).toEqual(new Set([true]));
  });
});
