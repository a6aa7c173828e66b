import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../machines/model/objects.ts';
import { startCluster } from '../../machines/run/simulate.ts';
import { applyManifest } from '../../machines/run/apply.ts';
import { manifestObjects } from '../../machines/run/manifest.ts';
import type { Trace, WatchRecord } from '../../machines/trace/format.ts';

const TRACES = new URL('../../content/traces/', import.meta.url);

/** Each object that a person of a recorded run applied for the first time, with what the real API server stored. */
function appliedAndStored(trace: Trace): { manifest: AnyObject; stored: AnyObject }[] {
  const added = trace.records.filter((r): r is WatchRecord => r.type === 'watch' && r.verb === 'ADDED');
  const known = new Set<string>();
  return trace.records
    .filter((r) => r.type === 'step' && r.verb === 'apply')
    .flatMap((step) => manifestObjects(String((step as unknown as { manifest: string }).manifest)))
    .flatMap((manifest) => {
      const id = `${manifest.kind}/${manifest.metadata.name}`;
      const stored = added.find((r) => r.object.kind === manifest.kind && r.object.metadata.name === manifest.metadata.name)?.object;
      if (known.has(id) || !stored || JSON.stringify(manifest).includes('$')) return [];
      known.add(id);
      return [{ manifest, stored }];
    });
}

/** What no two runs share. */
function comparable(object: AnyObject): unknown {
  const text = JSON.stringify(object, (key, value: unknown) => (['uid', 'resourceVersion', 'creationTimestamp', 'lastPhaseTransitionTime'].includes(key) ? undefined : value));
  return JSON.parse(text.replaceAll(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-xxxxx'));
}

describe('the API server stores what is applied to it as the recorded one did', () => {
  for (const scenario of readdirSync(TRACES)) {
    it(scenario, () => {
      const trace = JSON.parse(readFileSync(new URL(`${scenario}/1.json`, TRACES), 'utf8')) as Trace;
      const pairs = appliedAndStored(trace);
      expect(pairs.length).toBeGreaterThan(0);
      const world = startCluster({ stage: trace.stage });
      for (const { manifest, stored } of pairs) {
        applyManifest(world.api, manifest, trace.scenario.namespace);
        const record = world.trace.records.findLast((r): r is WatchRecord => r.type === 'watch');
        expect(comparable(record?.object as AnyObject)).toEqual(comparable(stored));
      }
    });
  }
});
