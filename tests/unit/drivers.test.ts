import { describe, expect, test } from 'vitest';
import { createDrivers } from '../../machines/drivers/index.ts';
import type { CsiDriver } from '../../machines/drivers/driver.ts';
import { createWorld } from '../../machines/kernel/world.ts';
import { defaultStage } from '../../machines/run/stage.ts';

const HOSTPATH = 'hostpath.csi.k8s.io';
const ZONAL = 'disk.csi.after-bound.dev';
const ZONE = `topology.${ZONAL}/zone`;

function driver(name: string): CsiDriver {
  const world = createWorld({ stage: defaultStage(), choices: { nodeOfPod: {}, zoneOfVolume: {} }, seed: 1, drivers: createDrivers });
  const found = world.drivers.get(name);
  if (!found) throw new Error(`no driver ${name}`);
  return found;
}
const create = (name: string, requiredBytes = 1024, parameters: Record<string, string> = {}) => ({ name, requiredBytes, parameters, accessMode: 7, block: false, wire: {}, requisite: [{ [ZONE]: 'zone-a' }, { [ZONE]: 'zone-b' }], preferred: [{ [ZONE]: 'zone-b' }, { [ZONE]: 'zone-a' }] });
const onNode = (volumeId: string, node = 'ab-worker', volumeContext: Record<string, string> = {}) => ({ volumeId, node, volumeContext, wire: {}, targetPath: '/target', readOnly: false, block: false });
const idOf = (answer: ReturnType<CsiDriver['createVolume']>): string => (answer.code === 'OK' ? answer.response.volumeId : '');

describe('the hostpath driver', () => {
  test('gives the same volume for the same name, on its only node', () => {
    const hostpath = driver(HOSTPATH);
    const first = hostpath.createVolume(create('pvc-1'));
    expect(first).toEqual(hostpath.createVolume(create('pvc-1')));
    expect(first).toMatchObject({ code: 'OK', response: { accessibleTopology: [{ 'topology.hostpath.csi/node': 'ab-worker' }] } });
    expect(hostpath.createVolume(create('pvc-1', 4096))).toEqual({ code: 'AlreadyExists', error: 'Volume with the same name: pvc-1 but with different size already exist' });
  });

  test('holds at most 1 TiB', () => {
    expect(driver(HOSTPATH).createVolume(create('pvc-1', 2 ** 40 + 1))).toEqual({ code: 'OutOfRange', error: 'Requested capacity 1099511627777 exceeds maximum allowed 1099511627776' });
  });

  test('knows no handle that it did not make, and none that it has deleted', () => {
    const hostpath = driver(HOSTPATH);
    const id = idOf(hostpath.createVolume(create('pvc-1')));
    expect(hostpath.nodeStage(onNode(id)).code).toBe('OK');
    hostpath.deleteVolume({ volumeId: id, wire: {} });
    for (const call of [hostpath.nodeStage, hostpath.nodePublish, hostpath.nodeExpand]) {
      expect(call.call(hostpath, onNode(id))).toEqual({ code: 'NotFound', error: `volume id ${id} does not exist in the volumes list` });
    }
    expect(hostpath.deleteVolume({ volumeId: id, wire: {} }).code).toBe('OK');
  });

  test('makes an inline volume when it is published and forgets it when it is unpublished', () => {
    const hostpath = driver(HOSTPATH);
    const inline = onNode('csi-inline', 'ab-worker', { 'csi.storage.k8s.io/ephemeral': 'true' });
    expect(hostpath.nodePublish(inline).code).toBe('OK');
    expect(hostpath.data('csi-inline')).toBeDefined();
    expect(hostpath.nodeUnpublish(inline).code).toBe('OK');
    expect(hostpath.data('csi-inline')).toBeUndefined();
  });
});

describe('the zonal driver', () => {
  test('puts a volume in the first preferred zone', () => {
    expect(driver(ZONAL).createVolume(create('pvc-1'))).toMatchObject({ code: 'OK', response: { accessibleTopology: [{ [ZONE]: 'zone-b' }] } });
  });

  test('grants a wished zone only where the request allows it', () => {
    expect(driver(ZONAL).createVolume({ ...create('pvc-1'), wishedZone: 'zone-a' })).toMatchObject({ response: { accessibleTopology: [{ [ZONE]: 'zone-a' }] } });
    expect(driver(ZONAL).createVolume({ ...create('pvc-1'), wishedZone: 'zone-c' })).toMatchObject({ response: { accessibleTopology: [{ [ZONE]: 'zone-b' }] } });
  });

  test('attaches a volume to one node at a time', () => {
    const zonal = driver(ZONAL);
    const id = idOf(zonal.createVolume(create('pvc-1')));
    expect(zonal.controllerPublish(onNode(id))).toEqual({ code: 'OK', response: { devicePath: `/dev/disk/by-id/${id}` } });
    expect(zonal.controllerPublish(onNode(id, 'ab-worker2'))).toEqual({ code: 'FailedPrecondition', error: `volume ${id} is attached to node ab-worker` });
    zonal.controllerUnpublish(onNode(id));
    expect(zonal.controllerPublish(onNode(id, 'ab-worker2')).code).toBe('OK');
  });

  test('fails as its class asks, so many times, for ever with 0, per node for node methods', () => {
    const zonal = driver(ZONAL);
    const context = { 'fail.NodeStageVolume': 'Internal x1: wrong fs type', 'fail.ControllerPublishVolume': 'Internal x0: no slot' };
    const id = idOf(zonal.createVolume(create('pvc-1', 1024, context)));
    expect([1, 2].map(() => zonal.nodeStage(onNode(id)).code)).toEqual(['Internal', 'OK']);
    expect(zonal.nodeStage(onNode(id, 'ab-worker2'))).toEqual({ code: 'Internal', error: 'wrong fs type' });
    expect([1, 2, 3, 4].map(() => zonal.controllerPublish(onNode(id)).code)).toEqual(['Internal', 'Internal', 'Internal', 'Internal']);
  });

  test('answers a fault text that it cannot read with a sentence that says what it expected', () => {
    expect(driver(ZONAL).createVolume(create('pvc-1', 1024, { 'fail.CreateVolume': 'sometimes' }))).toEqual({ code: 'InvalidArgument', error: 'fail.CreateVolume: "sometimes" is not "<gRPC code> x<times>: <message>"' });
  });

  test('does not bring a deleted volume back when its mounts are taken down', () => {
    const zonal = driver(ZONAL);
    const id = idOf(zonal.createVolume(create('pvc-1')));
    zonal.deleteVolume({ volumeId: id, wire: {} });
    expect(zonal.nodeUnpublish(onNode(id)).code).toBe('OK');
    expect(zonal.nodeUnstage(onNode(id)).code).toBe('OK');
    expect(zonal.data(id)).toBeUndefined();
  });
});
