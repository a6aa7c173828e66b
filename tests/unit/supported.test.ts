import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { supported } from '../../machines/supported.ts';
import { parseScenario } from '../../src/formats/scenario.ts';
import { notSupported } from '../../src/validator/support.ts';

const folder = new URL('../../content/scenarios/', import.meta.url);

test.each(readdirSync(folder))('the cluster supports all that %s asks for', (file) => {
  const scenario = parseScenario(readFileSync(new URL(file, folder), 'utf8'), file);
  expect(notSupported(scenario, supported)).toEqual([]);
});

test('what the cluster does not support is named: a kind, a field, a value, a command', () => {
  const scenario = parseScenario(
    [
      'id: x',
      'title: x',
      'covers: [bind]',
      'namespace: x',
      'steps:',
      '- apply: |',
      '    apiVersion: v1',
      '    kind: Pod',
      '    metadata: {name: a}',
      '    spec: {containers: [{name: a, image: b, readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}}], volumes: [{name: v, nfs: {server: s, path: /}}]}',
      '- apply: |',
      '    apiVersion: batch/v1',
      '    kind: Job',
      '    metadata: {name: a}',
      '- apply: |',
      '    apiVersion: v1',
      '    kind: PersistentVolume',
      '    metadata: {name: a}',
      '    spec: {persistentVolumeReclaimPolicy: Recycle, hostPath: {path: /a}}',
      '- run: kubectl edit pvc disk',
      '- run: kubectl get pod',
    ].join('\n'),
    'x.yaml',
  );
  expect(notSupported(scenario, supported)).toEqual([
    'command kubectl edit pvc disk',
    'field spec.containers.readinessProbe.httpGet.port of Pod',
    'field spec.volumes.nfs.path of Pod',
    'field spec.volumes.nfs.server of Pod',
    'image b: it is not on the nodes, and its pull fails: there is no registry',
    'kind Job',
    'value Recycle of spec.persistentVolumeReclaimPolicy of PersistentVolume',
  ]);
});

test.each([
  ['registry.local/busybox:1.36', undefined, undefined],
  ['busybox:1', 'Never', undefined],
  ['registry.local/missing:1', 'Never', undefined],
  ['nginx:1.27', undefined, 'it is not on the nodes, and its pull fails: there is no registry'],
  ['busybox', undefined, 'imagePullPolicy Always: it is not pulled anew, but taken as it is on the nodes'],
  ['busybox:1', 'Always', 'imagePullPolicy Always: it is not pulled anew, but taken as it is on the nodes'],
])('of the image %s with the policy %s it says: %s', (image, policy, why) => {
  expect(supported.imageLeftOut(image, policy)).toBe(why);
});
