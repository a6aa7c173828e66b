/** The line is lit by evidence in the trace, and by nothing else. */
import { describe, expect, test } from 'vitest';
import type { Trace, TraceRecord, WatchRecord } from '../../machines/trace/format.ts';
import { STATIONS, type StationName } from '../../src/trace-view/station-names.ts';
import { inOrder, lineAt, type Mark } from '../../src/trace-view/stations.ts';
import { linesOf, keyStep, litMoments, nextStation } from '../../src/trace-view/history.ts';
import { steps } from '../../src/trace-view/steps.ts';
import { recording, rewritten, without } from '../helpers/recordings.ts';

function markAtEnd(trace: Trace, station: StationName): Mark {
  return lineAt(trace, trace.records.length - 1).stations[station].mark;
}

function isWatch(record: TraceRecord, kind: string): record is WatchRecord {
  return record.type === 'watch' && record.object.kind === kind;
}

describe('a run without a fault lights the stations in their order', () => {
  test('every station from claim to process is proven in the end, the last not tried', () => {
    expect(inOrder(lineAt(recording('immediate-happy'), 1e6)).map((station) => station.mark)).toEqual([
      'proven', 'proven', 'proven', 'proven', 'proven', 'proven', 'proven', 'proven', 'not-run',
    ]);
  });

  test('no station is proven before one on its left in any recording of a fault-free start', () => {
    for (const name of ['immediate-happy', 'wait-for-first-consumer', 'node-move']) {
      const lit = litMoments(recording(name), undefined).filter(({ station }) => STATIONS.indexOf(station) < STATIONS.indexOf('process'));
      const firsts = [...new Map(lit.toReversed().map(({ station, step }) => [station, step]))].sort((a, b) => STATIONS.indexOf(a[0]) - STATIONS.indexOf(b[0]));
      expect(firsts.map(([, step]) => step)).toEqual(firsts.map(([, step]) => step).toSorted((a, b) => a - b));
    }
  });
});

describe('take a witness out of the trace and its station goes dark', () => {
  const happy = recording('immediate-happy');

  const cases: readonly [StationName, string, (trace: Trace) => Trace][] = [
    ['claim', 'the claim’s writes', (trace) => without(trace, (record) => isWatch(record, 'PersistentVolumeClaim'))],
    ['volume', 'the volume’s writes', (trace) => without(trace, (record) => isWatch(record, 'PersistentVolume'))],
    ['volume', 'the claim’s Bound', (trace) => without(trace, (record) => isWatch(record, 'PersistentVolumeClaim') && record.object.kind === 'PersistentVolumeClaim' && record.object.status.phase === 'Bound')],
    ['attached', 'the attachment’s writes', (trace) => without(trace, (record) => isWatch(record, 'VolumeAttachment'))],
    ['attached', 'the node’s list', (trace) => without(trace, (record) => isWatch(record, 'Node'))],
    ['staged', 'the kubelet’s line', (trace) => without(trace, (record) => record.type === 'log' && record.text.includes('MountDevice succeeded'))],
    ['published', 'one SetUp line', (trace) => without(trace, (record) => record.type === 'log' && record.text.includes('SetUp succeeded') && record.text.includes('kube-api-access'))],
    ['process', 'the mountinfo row', (trace) => without(trace, (record) => record.type === 'step' && String(record['sh']).includes('mountinfo'))],
    ['bytes', 'the command that wrote and read', (trace) => without(trace, (record) => record.type === 'step' && String(record['sh']).includes('proof'))],
  ];
  test.each(cases)('%s without %s', (station, _what, take) => {
    expect(markAtEnd(happy, station)).toBe('proven');
    expect(markAtEnd(take(happy), station)).not.toBe('proven');
  });

  test('node without the write that bound the pod', () => {
    const unbound = rewritten(happy, (record) => {
      if (!isWatch(record, 'Pod') || record.object.kind !== 'Pod') return record;
      const { nodeName: _node, ...spec } = record.object.spec;
      return { ...record, object: { ...record.object, spec } };
    });
    expect(markAtEnd(unbound, 'node')).not.toBe('proven');
  });

  test('bytes without what was read: a write alone is only part of the proof', () => {
    const unread = rewritten(happy, (record) => (record.type === 'step' && String(record['sh']).includes('proof') ? { ...record, stdout: '' } : record));
    expect(markAtEnd(unread, 'bytes')).toBe('partly');
  });

  test('again without the read after the move', () => {
    const moved = recording('node-move');
    expect(markAtEnd(moved, 'again')).toBe('partly');
    expect(markAtEnd(without(moved, (record) => record.type === 'step' && record['sh'] === 'cat /data/proof'), 'again')).toBe('not-run');
  });

  test('a second pod beside the first proves nothing of a first pod gone; the same read after it is gone does', () => {
    const trace = recording('rwo-two-pods-one-node');
    const reads = trace.records.flatMap((record, index) => (record.type === 'step' && record['sh'] === 'cat /data/proof' ? [index] : []));
    const beside = lineAt(trace, reads[0] ?? 0, 'second').stations.again;
    expect(beside.mark).toBe('not-run');
    expect(beside.evidence.map((item) => item.what)).toContain('again_beside');
    const after = lineAt(trace, reads[1] ?? 0, 'second').stations.again;
    expect(after.evidence.filter((item) => item.held).map((item) => item.what)).toEqual(['again_pod']);
    const neverGone = without(trace, (record) => record.type === 'watch' && record.verb === 'DELETED' && record.object.kind === 'Pod');
    expect(markAtEnd(neverGone, 'again')).toBe('not-run');
  });

  test('a read that finds other bytes proves nothing', () => {
    const other = rewritten(recording('node-move'), (record) => (record.type === 'step' && record['sh'] === 'cat /data/proof' ? { ...record, stdout: 'something else\n' } : record));
    expect(markAtEnd(other, 'again')).toBe('not-run');
  });
});

describe('a station that was not tried is not run, whatever stands behind it', () => {
  test('the Secret blocks at published while the disk is not staged', () => {
    const trace = recording('missing-secret');
    const line = linesOf(trace, undefined)[keyStep(trace, undefined)];
    expect(line?.stations.staged.mark).toBe('not-run');
    expect(line?.stations.published.mark).toBe('blocked');
    expect(line?.stations.published.refusal?.short).toBe('secret "missing" not found');
    expect(line?.tracks.map((track) => [track.volume.replace(/-\w{5}$/, ''), track.attached, track.published])).toEqual([
      ['disk', 'partly', 'not-run'],
      ['missing', 'passed-through', 'blocked'],
      ['kube-api-access', 'passed-through', 'here'],
    ]);
  });

  test('a volume without attach and stage passes those stations through', () => {
    const line = linesOf(recording('default-class-local-path'), undefined).find((entry) => entry.stations.bytes.mark === 'proven');
    expect(line?.stations.attached.mark).toBe('passed-through');
    expect(line?.stations.staged.mark).toBe('passed-through');
  });

  test('bytes beside the mount light nothing', () => {
    const trace = recording('wrong-path');
    expect(linesOf(trace, undefined).every((line) => line.stations.bytes.mark === 'not-run')).toBe(true);
  });
});

describe('a refusal is told in the component’s own words and names who said it', () => {
  const cases: readonly [string, StationName, string, string][] = [
    ['rwop-second-pod', 'node', 'default-scheduler', 'claimInUse'],
    ['zone-mismatch-immediate', 'node', 'default-scheduler', 'zoneConflict'],
    ['claim-not-found', 'claim', 'default-scheduler', 'claimMissing'],
    ['class-not-found', 'volume', 'persistentvolume-controller', 'classMissing'],
    ['provision-quota', 'volume', 'disk.csi.after-bound.dev', 'rpc'],
    ['multi-attach', 'attached', 'attachdetach-controller', 'multiAttachPod'],
    ['stage-fails-backoff', 'staged', 'kubelet', 'rpc'],
    ['configmap-key-missing', 'published', 'kubelet', 'keyMissing'],
    ['block-as-filesystem', 'published', 'kubelet', 'volumeMode'],
    ['read-only-mount', 'bytes', 'sh', 'readOnly'],
    ['fsgroup', 'bytes', 'sh', 'permission'],
  ];
  test.each(cases)('%s is blocked at %s by %s: %s', (scenario, station, by, code) => {
    const refusals = linesOf(recording(scenario), undefined).flatMap((line) => line.stations[station].refusal ?? []);
    expect(refusals.map((refusal) => [refusal.by, refusal.reason.code])).toContainEqual([by, code]);
  });

  test('every blocked station of every recording carries a record that says so', () => {
    for (const scenario of ['attach-fails', 'publish-fails', 'node-move', 'claim-lost', 'secret-removed']) {
      const trace = recording(scenario);
      for (const line of linesOf(trace, undefined)) {
        for (const station of inOrder(line)) {
          if (station.mark === 'blocked') expect(trace.records[station.refusal?.index ?? -1]).toBeDefined();
        }
      }
    }
  });
});

describe('a pod made again under the same name starts its line anew', () => {
  test('what was published to the first pod is not published to the second', () => {
    const trace = recording('pod-recreate');
    const lines = linesOf(trace, undefined);
    const published = litMoments(trace, undefined).filter(({ station }) => station === 'published');
    expect(published).toHaveLength(2);
    const between = lines.slice(published[0]?.step, published[1]?.step);
    expect(between.some((line) => line.stations.published.mark === 'not-run')).toBe(true);
  });
});

describe('what was lit for a pod that is gone is ended, not untried', () => {
  test('after the delete of a running pod its node, mounts and process are ended', () => {
    const trace = recording('pod-recreate');
    const gone = trace.records.findIndex((record) => record.type === 'watch' && record.verb === 'DELETED' && record.object.kind === 'Pod');
    const { stations } = lineAt(trace, gone);
    expect([stations.node.mark, stations.process.mark]).toEqual(['ended', 'ended']);
    expect(inOrder(lineAt(trace, gone)).filter((station) => STATIONS.indexOf(station.name) < STATIONS.indexOf('bytes')).map((station) => station.mark)).not.toContain('not-run');
  });

  test('a pod that never got a node leaves nothing ended', () => {
    const trace = recording('zone-mismatch-immediate');
    expect(linesOf(trace, undefined).every((line) => line.stations.process.mark !== 'ended')).toBe(true);
  });
});

describe('a raw block device', () => {
  test('process is proven by the device node in the container, without a mountinfo row', () => {
    const trace = recording('block-device');
    expect(linesOf(trace, undefined).some((line) => line.stations.process.mark === 'proven')).toBe(true);
    const unseen = rewritten(trace, (record) => (record.type === 'step' && record.verb === 'exec' ? { ...record, stdout: '' } : record));
    expect(linesOf(unseen, undefined).some((line) => line.stations.process.mark === 'proven')).toBe(false);
  });
});

describe('steps', () => {
  test('each thing done, written, said or called is one step, in the order of the trace', () => {
    for (const scenario of ['missing-secret', 'wait-for-first-consumer', 'statefulset-templates']) {
      const trace = recording(scenario);
      const all = steps(trace);
      const loud = trace.records.flatMap((record, index) => (record.type === 'log' || record.type === 'state' ? [] : [index]));
      expect(all.filter((step) => step.lane !== 'state').map((step) => step.index)).toEqual(loud);
      expect(all.every((step, i) => i === 0 || step.index > (all[i - 1]?.index ?? -1))).toBe(true);
    }
  });

  test('where no call is recorded, the kubelet’s own line is the step that lights staged', () => {
    const trace = recording('immediate-happy');
    const staged = litMoments(trace, undefined).find(({ station }) => station === 'staged');
    expect(steps(trace)[staged?.step ?? -1]?.lane).toBe('state');
    const zonal = recording('wait-for-first-consumer');
    const called = litMoments(zonal, undefined).find(({ station }) => station === 'staged');
    expect(steps(zonal)[called?.step ?? -1]?.lane).toBe('csi');
  });

  test('next station always moves on, and ends', () => {
    const trace = recording('missing-secret');
    let step: number | undefined = 0;
    const visited: number[] = [];
    while ((step = nextStation(trace, undefined, step)) !== undefined) visited.push(step);
    expect(visited).toEqual(visited.toSorted((a, b) => a - b));
    expect(visited.length).toBeGreaterThan(8);
  });
});
