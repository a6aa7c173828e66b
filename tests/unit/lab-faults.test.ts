/** A fault that the driver would silently ignore is named when a scenario is read. */
import { describe, expect, test } from 'vitest';
import { parseScenario } from '../../src/formats/scenario.ts';
import { scenarioIds, scenarioOf } from '../../src/site/runs.ts';

const scenario = (manifest: string): string => `id: x\ntitle: X\ncovers: []\nnamespace: x\nsteps:\n- apply: |\n${manifest.split('\n').map((line) => `    ${line}`).join('\n')}\n`;
const classOf = (method: string, provisioner = 'disk.csi.after-bound.dev'): string => scenario(`apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: c}\nprovisioner: ${provisioner}\nparameters:\n  fail.${method}: "Internal x1: no"`);

describe('a fault on request', () => {
  test('of a method that the driver does not fail is refused with the file, the line and the methods there are', () => {
    expect(() => parseScenario(classOf('NodeStage'), 'mine.yaml')).toThrow(/mine\.yaml[\s\S]*fail\.NodeStage"[\s\S]*fail\.NodeStageVolume/);
    expect(() => parseScenario(scenario('apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v}\nspec: {csi: {driver: disk.csi.after-bound.dev, volumeHandle: h, volumeAttributes: {fail.Attach: "Internal x1: no"}}}'), 'mine.yaml')).toThrow(/fail\.Attach/);
  });

  test('of a method it fails is read, and so is a parameter of another driver', () => {
    expect(parseScenario(classOf('NodeStageVolume'), 'mine.yaml').steps).toHaveLength(1);
    expect(parseScenario(classOf('Anything', 'other.example.com'), 'mine.yaml').steps).toHaveLength(1);
  });

  test('every scenario of the site asks for known ones', () => {
    for (const id of scenarioIds()) expect(scenarioOf(id).id).toBe(id);
  });
});
