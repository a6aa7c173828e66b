import { describe, expect, it } from 'vitest';
import type { Trace, TraceRecord } from '../../machines/trace/format.ts';
import { simulate } from '../../machines/index.ts';
import { choicesFrom } from '../../src/formats/like.ts';
import { recordingsOf, scenarioIds } from '../helpers/traces.ts';

function recorded(id: string, number = 0): Trace {
  return recordingsOf(id)[number]?.trace ?? expect.fail(`no recording of ${id}`);
}

/** The parts of a record that say which pod went where and which zone a volume is in; all else is overwritten or thrown away. */
function scrambled(trace: Trace): Trace {
  const noise = (record: TraceRecord): TraceRecord[] => {
    if (record.type !== 'watch') return [];
    const { object } = record;
    if (object.kind !== 'Pod' && object.kind !== 'PersistentVolume' && object.kind !== 'ReplicaSet') return [];
    const copy = structuredClone(object) as unknown as {
      metadata: Record<string, unknown>;
      spec: Record<string, unknown> & { claimRef?: Record<string, unknown> };
      status: unknown;
    };
    copy.metadata = { ...copy.metadata, uid: 'scrambled', resourceVersion: '0', creationTimestamp: '1999-01-01T00:00:00Z', labels: { nothing: 'here' }, annotations: {}, finalizers: ['x'] };
    copy.status = { phase: 'Failed', nominatedNodeName: 'nowhere', conditions: [] };
    copy.spec = { ...(copy.spec.claimRef && { claimRef: { ...copy.spec.claimRef, uid: 'y' } }), nodeName: copy.spec['nodeName'], nodeAffinity: copy.spec['nodeAffinity'] };
    return [{ ...record, t: 7, object: copy as never }];
  };
  return {
    ...trace,
    recordedAt: 'never',
    cluster: { name: 'x', kubernetes: 'v0', csi: {} },
    failed: 'yes',
    scenario: { id: 'other', title: 'Other', covers: [], namespace: 'other', steps: [{ settle: 1 }] },
    records: trace.records.flatMap(noise),
  };
}

describe('what --like reads from a trace', () => {
  it('is the stage, the first node of each pod and the zone of each volume', () => {
    const trace = recorded('node-move');
    expect(choicesFrom(trace)).toEqual({
      stage: trace.stage,
      choices: { nodeOfPod: { 'ab-node-move/first': 'ab-worker', 'ab-node-move/first#2': 'ab-worker2' }, zoneOfVolume: { 'ab-node-move/disk': 'zone-a' } },
    });
  });

  it('names pods with generated names by their Deployment and order', () => {
    expect(Object.keys(choicesFrom(recorded('rolling-update')).choices.nodeOfPod)).toEqual([
      'ab-rolling-update/Deployment/web#1',
      'ab-rolling-update/Deployment/web#2',
      'ab-rolling-update/Deployment/web#3',
    ].slice(0, Object.keys(choicesFrom(recorded('rolling-update')).choices.nodeOfPod).length));
  });

  it('keeps the pods of a StatefulSet under their own names', () => {
    expect(Object.keys(choicesFrom(recorded('statefulset-templates')).choices.nodeOfPod)).toEqual([
      'ab-statefulset-templates/web-0',
      'ab-statefulset-templates/web-1',
      'ab-statefulset-templates/web-0#2',
    ]);
  });

  it('gives the same bytes of a run, whatever else the trace says', () => {
    const trace = recorded('wait-for-first-consumer');
    const bytes = (like: Trace) => JSON.stringify(simulate(trace.scenario, choicesFrom(like)));
    expect(bytes(scrambled(trace))).toBe(bytes(trace));
  });

  it.each(scenarioIds)('%s: nothing else of the trace has any influence', id => {
    const trace = recorded(id);
    expect(choicesFrom(scrambled(trace))).toEqual(choicesFrom(trace));
  });
});
