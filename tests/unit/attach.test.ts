import { describe, expect, test } from 'vitest';
import { withMeta } from '../../machines/kernel/api-server.ts';
import { buildStage } from '../../machines/run/stage.ts';
import { HOSTPATH, NodeCluster, ZONAL, claim, pod, staticDisk } from '../helpers/node-cluster.ts';

const on = (node: string) => ({ nodeName: node });
const failing = (method: string, fault: string): Record<string, unknown> => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'failing' },
  provisioner: ZONAL,
  parameters: { [`fail.${method}`]: fault },
});

describe('attaching', () => {
  test('begins when the pod has a node and takes at least half a second, though the volume is attached sooner', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker')));
    cluster.until(() => cluster.attachments()[0]?.status.attached === true, 1);
    expect(cluster.events('first', 'attachdetach-controller')).toEqual([]);
    const began = (cluster.writes('VolumeAttachment')[0]?.t ?? 0);
    cluster.pass(1);
    expect(cluster.events('first', 'attachdetach-controller')).toEqual([`Normal SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "${cluster.volumeOf('disk').metadata.name}" `]);
    const [announced = 0] = cluster.eventTimes('first', 'SuccessfulAttachVolume', began);
    expect(announced).toBeGreaterThanOrEqual(0.5);
    expect(announced).toBeLessThanOrEqual(0.6);
  });

  test('lists the volume in node.status.volumesAttached after the event', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).pass(1);
    expect(cluster.node('ab-worker').status.volumesAttached).toEqual([{ name: `kubernetes.io/csi/${ZONAL}^${cluster.volumeOf('disk').spec.csi?.volumeHandle ?? ''}`, devicePath: '' }]);
  });

  test('asks for nothing when the CSIDriver says that its volumes are not attached', () => {
    const cluster = new NodeCluster();
    cluster.world.api.update('CSIDriver', undefined, ZONAL, (driver) => ({ ...driver, spec: { ...driver.spec, attachRequired: false } }));
    cluster.apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first');
    expect(cluster.attachments()).toEqual([]);
    expect(cluster.node('ab-worker').status.volumesInUse).toBeUndefined();
    expect(cluster.events('first', 'attachdetach-controller')).toEqual([]);
  });

  test('leaves nodes alone whose kubelets do not hand attaching over', () => {
    const cluster = new NodeCluster();
    cluster.world.api.update('Node', undefined, 'ab-worker', (node) => withMeta(node, { annotations: {} }));
    cluster.apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).pass(5);
    expect(cluster.attachments()).toEqual([]);
  });

  test('gives up after two minutes when no external attacher answers, and tries again', () => {
    const cluster = new NodeCluster().apply(...staticDisk('disk', { csi: { driver: 'gone.example.com', volumeHandle: 'h1' } })).pass(16).apply(pod('first', on('ab-worker'))).pass(119);
    expect(cluster.events('first', 'attachdetach-controller')).toEqual([]);
    cluster.pass(3);
    expect(cluster.events('first', 'attachdetach-controller')).toEqual([
      'Warning FailedAttachVolume: AttachVolume.Attach failed for volume "pv-disk" : timed out waiting for external-attacher of gone.example.com CSI driver to attach volume h1',
    ]);
    cluster.pass(121);
    expect(cluster.count('first', 'FailedAttachVolume')).toBe(2);
  });

  test('attaches a volume of many nodes to each of them', () => {
    const cluster = new NodeCluster().apply(...staticDisk('disk', { accessModes: ['ReadWriteMany'] }, { accessModes: ['ReadWriteMany'] })).pass(16);
    cluster.apply(pod('first', on('ab-worker')), pod('second', on('ab-worker2'))).pass(2);
    expect(cluster.attachments().map((va) => va.spec.nodeName).toSorted()).toEqual(['ab-worker', 'ab-worker2']);
    expect(cluster.events('second', 'attachdetach-controller').some((text) => text.includes('Multi-Attach'))).toBe(false);
  });
});

describe('a failing attach', () => {
  test('is told with each try of the controller, half a second each and a growing back-off between', () => {
    const cluster = new NodeCluster().apply(failing('ControllerPublishVolume', 'Internal x0: no slot'), claim('disk', { storageClassName: 'failing' })).pass(1).apply(pod('first', on('ab-worker')));
    cluster.pass(20);
    const began = cluster.writes('VolumeAttachment')[0]?.t ?? 0;
    const times = cluster.eventTimes('first', 'FailedAttachVolume', began);
    const gaps = times.map((t, i) => Math.round((t - (times[i - 1] ?? 0)) * 10) / 10);
    for (const [i, low] of [0.5, 1, 1.5, 2.5, 4.5].entries()) {
      expect(gaps[i]).toBeGreaterThanOrEqual(low);
      expect(gaps[i]).toBeLessThanOrEqual(low + 0.3);
    }
  });

  test('asks the driver at 0, 0.01, 1, 5 and 13 s', () => {
    const cluster = new NodeCluster().apply(failing('ControllerPublishVolume', 'Internal x0: no slot'), claim('disk', { storageClassName: 'failing' })).pass(1).apply(pod('first', on('ab-worker'))).pass(20);
    const calls = cluster.calls('ControllerPublishVolume');
    const first = calls[0]?.t ?? 0;
    expect(calls.map(({ t }) => Math.round(t - first))).toEqual([0, 0, 1, 5, 13]);
    expect(cluster.attachments()[0]?.status).toMatchObject({ attached: false, attachError: { errorCode: 13, message: 'rpc error: code = Internal desc = no slot' } });
  });

  test.each([
    ['the node has no CSINode entry of the driver', {}, 'ab-control-plane', `CSINode ab-control-plane does not contain driver ${ZONAL}`],
    ['the access modes cannot be said in CSI', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }, 'ab-worker', 'CSI does not support ReadOnlyMany and ReadWriteOnce on the same PersistentVolume'],
  ])('tells when %s', (_why, volume, node, error) => {
    const cluster = new NodeCluster().apply(...staticDisk('disk', volume)).pass(16).apply(pod('first', on(node))).pass(2);
    expect(cluster.events('first', 'attachdetach-controller')[0]).toBe(`Warning FailedAttachVolume: AttachVolume.Attach failed for volume "pv-disk" : ${error}`);
    expect(cluster.attachments()[0]?.status.attachError?.message).toBe(error);
  });
});

describe('the Multi-Attach guard', () => {
  const held = (): NodeCluster => new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first');

  test('names the pods that hold the volume, once', () => {
    const cluster = held().apply(pod('second', on('ab-worker2'))).pass(30);
    expect(cluster.events('second', 'attachdetach-controller')).toEqual([
      `Warning FailedAttachVolume: Multi-Attach error for volume "${cluster.volumeOf('disk').metadata.name}" Volume is already used by pod(s) first`,
    ]);
    expect(cluster.count('second', 'FailedAttachVolume')).toBe(1);
  });

  test('names nobody when only the attachment is left', () => {
    const cluster = held();
    cluster.delete('Pod', 'first').until(() => !cluster.podNames().includes('first')).apply(pod('second', on('ab-worker2'))).pass(0.4);
    expect(cluster.events('second', 'attachdetach-controller')[0]).toContain("Volume is already exclusively attached to one node and can't be attached to another");
  });

  test('lets the second node attach after the first has detached', () => {
    const cluster = held().apply(pod('second', on('ab-worker2'))).delete('Pod', 'first').untilReady('second');
    expect(cluster.attachments().map((va) => va.spec.nodeName)).toEqual(['ab-worker2']);
  });

  test('is off after a failed detach: two attachments of one volume stand side by side, and only the driver refuses', () => {
    const cluster = new NodeCluster().apply(failing('ControllerUnpublishVolume', 'Internal x3: busy'), claim('disk', { storageClassName: 'failing' })).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first');
    cluster.apply(pod('second', on('ab-worker2'))).delete('Pod', 'first').until(() => cluster.attachments().length === 2);
    expect(cluster.attachments().map((va) => va.status.attached).toSorted()).toEqual([false, true]);
    cluster.untilReady('second');
    expect(cluster.attachments().map((va) => va.spec.nodeName)).toEqual(['ab-worker2']);
  });
});

describe('an attacher', () => {
  test('stands still while the node of its driver is paused', () => {
    const cluster = new NodeCluster().apply(claim('disk', { storageClassName: 'hostpath-immediate' })).pass(1);
    cluster.world.pausedNodes.add('ab-worker');
    cluster.apply(pod('first', on('ab-worker'))).pass(5);
    expect(cluster.attachments().map((va) => va.status.attached)).toEqual([false]);
    cluster.world.pausedNodes.delete('ab-worker');
    cluster.pass(0.1);
    expect(cluster.attachments().map((va) => va.status.attached)).toEqual([true]);
  });

  test('never asks for a volume read-only: the driver does not say that it can', () => {
    const [volume, ...rest] = staticDisk('disk', {}) as { spec: { csi: object } }[];
    const readOnly = { ...volume, spec: { ...volume?.spec, csi: { ...volume?.spec.csi, readOnly: true } } };
    const cluster = new NodeCluster().apply(readOnly, ...(rest as object[] as Record<string, unknown>[])).pass(16).apply(pod('first', on('ab-worker'))).pass(2);
    expect(cluster.calls('ControllerPublishVolume')).toHaveLength(1);
    expect(cluster.calls('ControllerPublishVolume')[0]?.request).not.toHaveProperty('readonly');
  });
});

describe('an attach whose outcome is not known', () => {
  test('on a node of which the volume was refused since is undone when the pod goes', () => {
    const cluster = new NodeCluster().apply(...staticDisk('disk', {})).pass(16).apply(pod('first', on('ab-control-plane'))).pass(1);
    expect(cluster.count('first', 'FailedAttachVolume')).toBe(1);
    cluster.apply(pod('second', on('ab-worker'))).until(() => cluster.count('second', 'SuccessfulAttachVolume') === 1, 20).pass(20);
    const volume = `kubernetes.io/csi/${ZONAL}^handle-disk`;
    expect(cluster.events('first', 'attachdetach-controller').at(-1)).toContain('Multi-Attach error');
    cluster.delete('Pod', 'first', { graceSeconds: 0 }).pass(310);
    expect(cluster.states('attach', `ab-control-plane/${volume}`).slice(-2)).toEqual(['detaching', 'detached']);
  });

  test('goes on while somebody takes the attachment away: the wait lasts its two minutes', () => {
    const cluster = new NodeCluster().apply(failing('ControllerPublishVolume', 'Internal x1: no slot'), claim('disk', { storageClassName: 'failing' })).pass(1);
    cluster.world.pausedNodes.add('ab-control-plane');
    cluster.apply(pod('first', on('ab-worker'))).until(() => cluster.attachments().length === 1, 2);
    const [attachment] = cluster.attachments();
    cluster.delete('VolumeAttachment', attachment?.metadata.name ?? '').pass(10);
    expect(cluster.count('first', 'FailedAttachVolume')).toBe(0);
  });
});

describe('detaching', () => {
  const running = (): NodeCluster => new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first');

  test('waits until the node no longer has the volume in use, then takes it from volumesAttached, then deletes the attachment', () => {
    const cluster = running();
    const from = cluster.world.clock.now / 1000;
    cluster.delete('Pod', 'first').until(() => cluster.attachments().length === 0);
    const steps = cluster.world.trace.records.flatMap((record) => {
      if (record.type !== 'watch' || record.t < from) return [];
      if (record.object.kind === 'Node') return [record.object.status.volumesInUse ? 'in use' : record.object.status.volumesAttached ? 'not in use' : 'not attached'];
      return record.object.kind === 'VolumeAttachment' ? [record.verb] : [];
    });
    expect(steps).toEqual(['not in use', 'not attached', 'MODIFIED', 'DELETED']);
    expect(cluster.events('first', 'attachdetach-controller')).toHaveLength(1);
  });

  test('does not happen when the pod comes back to its node before', () => {
    const cluster = running();
    cluster.delete('Pod', 'first').until(() => !cluster.podNames().includes('first')).apply(pod('first', on('ab-worker')));
    cluster.untilReady('first');
    expect(cluster.calls('ControllerUnpublishVolume')).toEqual([]);
    expect(cluster.count('first', 'SuccessfulAttachVolume')).toBe(1);
  });

  test('is forced after six minutes on a node that is not ready', () => {
    const cluster = running();
    cluster.world.pausedNodes.add('ab-worker');
    cluster.pass(60).delete('Pod', 'first', { graceSeconds: 0 }).pass(350);
    expect(cluster.attachments()).toHaveLength(1);
    cluster.pass(20);
    expect(cluster.attachments()).toEqual([]);
    expect(cluster.node('ab-worker').status.volumesInUse).toHaveLength(1);
  });

  test('is not forced on a node that is ready, however long the volume stays in use', () => {
    const cluster = running();
    cluster.world.api.update('Node', undefined, 'ab-worker', (node) => node);
    cluster.world.pausedNodes.add('ab-worker');
    cluster.delete('Pod', 'first', { graceSeconds: 0 }).pass(20);
    expect(cluster.attachments()).toHaveLength(1);
  });

  test('happens at once on a node that is out of service', () => {
    const cluster = running();
    cluster.world.pausedNodes.add('ab-worker');
    cluster.pass(60).delete('Pod', 'first', { graceSeconds: 0 }).pass(5);
    expect(cluster.attachments()).toHaveLength(1);
    cluster.taint('ab-worker', 'node.kubernetes.io/out-of-service', 'NoExecute').pass(2);
    expect(cluster.attachments()).toEqual([]);
  });

  test('a deleted pod none of whose containers runs no longer keeps the volume', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).pass(0.3);
    cluster.world.pausedNodes.add('ab-worker');
    cluster.pass(2).delete('Pod', 'first').pass(5);
    expect(cluster.pod('first').metadata.deletionTimestamp).toBeDefined();
    expect(cluster.attachments()).toEqual([]);
  });

  test('a VolumeAttachment that somebody deletes is missed at the next sync, within a minute, and made again', () => {
    const cluster = running();
    const name = cluster.attachments()[0]?.metadata.name ?? '';
    cluster.delete('VolumeAttachment', name).pass(0.5);
    expect(cluster.attachments()).toEqual([]);
    cluster.pass(61);
    expect(cluster.attachments().map((va) => va.status.attached)).toEqual([true]);
    expect(cluster.count('first', 'SuccessfulAttachVolume')).toBe(2);
  });
});

describe('the external attacher', () => {
  test('writes volume finalizer, node id with finalizer, and status, in this order, for a driver that publishes', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).pass(1);
    expect(cluster.volumeOf('disk').metadata.finalizers).toContain('external-attacher/disk-csi-after-bound-dev');
    expect(cluster.writes('VolumeAttachment').map(({ object }) => [object.metadata.finalizers?.length ?? 0, object.kind === 'VolumeAttachment' && object.status.attached])).toEqual([[0, false], [1, false], [1, true]]);
    expect(cluster.attachments()[0]).toMatchObject({ metadata: { annotations: { 'csi.alpha.kubernetes.io/node-id': 'ab-worker' } }, status: { attachmentMetadata: { devicePath: expect.any(String) as string } } });
  });

  test('only says attached for a driver that does not publish', () => {
    const cluster = new NodeCluster().apply(claim('disk', { storageClassName: 'hostpath-immediate' })).pass(1).apply(pod('first', on('ab-worker'))).pass(1);
    expect(cluster.writes('VolumeAttachment').map(({ object }) => object.metadata.finalizers)).toEqual([undefined, undefined]);
    expect(cluster.attachments()[0]?.spec.attacher).toBe(HOSTPATH);
    expect(cluster.volumeOf('disk').metadata.finalizers).not.toContain('external-attacher/hostpath-csi-k8s-io');
  });

  test('refuses a volume that is being deleted', () => {
    const cluster = new NodeCluster().apply(...staticDisk('disk')).pass(16);
    cluster.world.api.delete('PersistentVolume', undefined, 'pv-disk');
    cluster.apply(pod('first', on('ab-worker'))).pass(1.5);
    expect(cluster.attachments()[0]?.status.attachError?.message).toBe('PersistentVolume "pv-disk" is marked for deletion');
  });

  test('keeps its finalizer on a volume that is being deleted while an attachment names it', () => {
    const cluster = new NodeCluster().apply(...staticDisk('disk')).pass(16).apply(pod('first', on('ab-worker'))).untilReady('first');
    cluster.world.api.delete('PersistentVolume', undefined, 'pv-disk');
    cluster.pass(5);
    expect(cluster.world.api.get('PersistentVolume', undefined, 'pv-disk')?.metadata.finalizers).toContain('external-attacher/disk-csi-after-bound-dev');
  });

  test('unpublishes by the node id of the attachment when the node is gone', () => {
    const cluster = new NodeCluster({ stage: buildStage([{ name: 'one', zone: 'a', drivers: [{ name: ZONAL }] }, { name: 'two', zone: 'a', drivers: [{ name: ZONAL }] }]) });
    cluster.apply(claim('disk')).pass(1).apply(pod('first', on('one'))).untilReady('first');
    cluster.world.pausedNodes.add('one');
    cluster.world.api.delete('CSINode', undefined, 'one');
    cluster.delete('Node', 'one').pass(500);
    expect(cluster.calls('ControllerUnpublishVolume').map(({ request }) => request['node_id'])).toEqual(['one']);
    expect(cluster.attachments()).toEqual([]);
  });
});
