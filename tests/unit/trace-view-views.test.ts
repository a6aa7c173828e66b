/** What the lab shows of a trace beside the line: changes, events, who spoke, why no node fits, the recordings, the charts. */
import { describe, expect, test } from 'vitest';
import { machineCatalogue } from '../../machines/index.ts';
import type { KubeEvent } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { messageOf, messages } from '../../src/trace-view/actors.ts';
import { layOut } from '../../src/trace-view/chart-layout.ts';
import { diffLines, plainLines, scalar, shownLines } from '../../src/trace-view/diff.ts';
import { ageOf, eventGroups, eventsAt, fromOf, humanDuration } from '../../src/trace-view/events.ts';
import { planAt } from '../../src/trace-view/plan.ts';
import { eventKey, placesOf, recordedIndex } from '../../src/trace-view/recorded.ts';
import { sentenceAt } from '../../src/trace-view/sentence.ts';
import { lineAt } from '../../src/trace-view/stations.ts';
import { objectKey, worldAt } from '../../src/trace-view/world.ts';
import { recording } from '../helpers/recordings.ts';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

function indexOf(trace: Trace, matches: (record: Trace['records'][number]) => boolean): number {
  const index = trace.records.findIndex(matches);
  if (index === -1) throw new Error('the trace has no such record');
  return index;
}

function eventIndex(trace: Trace, reason: string): number {
  return indexOf(trace, (record) => record.type === 'watch' && record.object.kind === 'Event' && record.object.reason === reason);
}

describe('the world after a record', () => {
  const trace = recording('claim-recreate');

  test('is the same whether it was stepped to or jumped to', () => {
    const last = trace.records.length - 1;
    const stepped: string[] = [];
    for (let i = 0; i <= last; i++) stepped.push([...worldAt(trace, i).objects.keys()].sort().join());
    for (const i of [last, 0, 40, 12, last - 3]) expect([...worldAt(trace, i).objects.keys()].sort().join()).toBe(stepped[i]);
  });

  test('has what stood before, and keeps what is gone apart', () => {
    expect([...worldAt(trace, -1).objects.keys()]).toContain('Node//ab-worker');
    const end = worldAt(trace, trace.records.length - 1);
    for (const key of end.gone.keys()) expect(end.objects.has(key)).toBe(false);
    expect(end.gone.size).toBeGreaterThan(0);
  });
});

describe('an object as YAML', () => {
  const trace = recording('missing-secret');

  test('its lines, read as YAML, are the object again', () => {
    for (const record of trace.records) {
      if (record.type !== 'watch') continue;
      const text = plainLines(record.object).map((line) => line.text).join('\n');
      expect(parse(text)).toEqual(JSON.parse(JSON.stringify(record.object)));
    }
  });

  test('a changed field shows both values, an added one a plus, a lost one a minus', () => {
    const index = indexOf(trace, (record) => record.type === 'watch' && record.object.kind === 'PersistentVolumeClaim' && record.object.status.phase === 'Bound');
    const record = trace.records[index];
    if (record?.type !== 'watch') throw new Error('not a write');
    const before = worldAt(trace, index - 1).objects.get(objectKey(record.object))?.object;
    const marked = diffLines(before, record.object).filter((line) => line.mark !== '').map((line) => `${line.mark} ${line.text.trim()}`);
    expect(marked).toContain('~ phase: Pending → Bound');
    expect(marked).toContain('+ accessModes: [ReadWriteOnce]');
    expect(diffLines(record.object, before ?? record.object).some((line) => line.mark === '−')).toBe(true);
  });

  test('an unchanged object has no mark, a new one only plus', () => {
    const record = trace.records.find((entry) => entry.type === 'watch' && entry.object.kind === 'Pod');
    if (record?.type !== 'watch') throw new Error('no pod');
    expect(new Set(plainLines(record.object).map((line) => line.mark))).toEqual(new Set(['']));
    expect(new Set(diffLines(undefined, record.object).map((line) => line.mark))).toEqual(new Set(['+']));
  });

  test('what is shown of a change is the changed lines, the keys above them, and folds', () => {
    const index = indexOf(trace, (record) => record.type === 'watch' && record.object.kind === 'Pod' && record.object.spec.nodeName !== undefined);
    const record = trace.records[index];
    if (record?.type !== 'watch') throw new Error('not a write');
    const { lines, hidden } = shownLines(worldAt(trace, index - 1).objects.get(objectKey(record.object))?.object, record.object);
    const texts = lines.map(({ line, folded }) => line?.text ?? `fold ${folded}`);
    expect(texts).toContain('spec:');
    expect(texts).toContain('  nodeName: ab-worker');
    expect(lines.some(({ line }) => line === undefined)).toBe(true);
    expect(hidden).toBeGreaterThan(20);
  });

  test.each(['', 'true', '12', '1e3', '- x', 'a: b', '#x', "it's", '"q"', '0x1f', '~', 'null', 'plain words', 'x #y', '2026-11-30T17:20:47Z', '64Mi', '*', 'a:', '%d'])('the text %j is quoted where YAML would read it otherwise', (text) => {
    expect(parse(`key: ${scalar(text)}`, { schema: 'core' })).toEqual({ key: text });
  });
});

describe('events as kubectl prints them', () => {
  const trace = recording('missing-secret');

  test('carry their count and age', () => {
    const row = eventsAt(trace, trace.records.length - 1).find(({ event }) => event.reason === 'FailedMount');
    expect(row?.count).toBe(3);
    expect(row === undefined ? '' : ageOf(row, 2.8)).toBe('0s (x3 over 1s)');
  });

  test('name the component that decided, and its instance apart', () => {
    const from = (reason: string): ReturnType<typeof fromOf> => fromOf(eventsAt(trace, 1e6).find(({ event }) => event.reason === reason)?.event as KubeEvent);
    expect(from('FailedMount')).toEqual({ component: 'kubelet', instance: 'ab-worker' });
    expect(from('Scheduled').component).toBe('default-scheduler');
    expect(from('Provisioning').component).toBe('hostpath.csi.k8s.io');
    expect(from('Provisioning').instance).toMatch(/^_csi-hostpathplugin-0_/);
  });

  test('are grouped by their object, pods first', () => {
    expect(eventGroups(trace, 1e6).map((group) => group.about)).toEqual(['pod/first', 'pvc/disk']);
  });

  test.each([[0.4, '0s'], [119, '119s'], [120, '2m'], [135, '2m15s'], [3000, '50m'], [20000, '5h']])('%d seconds are %s', (seconds, text) => {
    expect(humanDuration(seconds)).toBe(text);
  });
});

describe('who did it', () => {
  test('each write of a claim’s way to Bound has its author', () => {
    const trace = recording('wait-for-first-consumer');
    const said = messages(trace, trace.records.length - 1).map(({ from, what }) => `${from}: ${what}`);
    for (const line of [
      'person: create PVC late',
      'person: create Pod consumer',
      'scheduler: update PVC late',
      'provisioner: CreateVolume',
      'persistentvolume-controller: update PVC late',
      'scheduler: update Pod consumer',
      'attachdetach-controller: create VolumeAttachment csi-2fbb…',
      'attacher: ControllerPublishVolume',
    ]) expect(said).toContain(line);
    expect(said.some((line) => /^provisioner: create PV pvc-/.test(line))).toBe(true);
    const nodeName = lineAt(trace, trace.records.length - 1, 'consumer').node;
    expect(said).toContain(`kubelet ${nodeName}: NodeStageVolume`);
    expect(said).toContain(`kubelet ${nodeName}: NodePublishVolume`);
  });

  const everyRun = readdirSync(join(import.meta.dirname, '../../content/traces'));
  test('nothing that is not asked for in a step is attributed to the person', () => {
    for (const scenario of everyRun) {
      const trace = recording(scenario);
      for (const { from, what, index } of messages(trace, trace.records.length - 1)) {
        const record = trace.records[index];
        if (from !== 'person' || record?.type !== 'watch') continue;
        const { name } = record.object.metadata;
        const asked = trace.records.slice(0, index).some((step) => step.type === 'step' && ['apply', 'delete', 'patch', 'node'].includes(step.verb) && JSON.stringify(step).includes(name));
        expect(asked, `${scenario} ${index}: ${what}`).toBe(true);
      }
    }
  });

  test('while a node is paused its kubelet says nothing, in any recording', () => {
    for (const scenario of everyRun) {
      const trace = recording(scenario);
      const paused = new Set<string>();
      trace.records.forEach((record, index) => {
        if (record.type === 'step' && record.verb === 'node' && record['action'] === 'pause') paused.add(String(record['node']));
        if (record.type === 'step' && record.verb === 'node' && record['action'] === 'unpause') paused.delete(String(record['node']));
        const from = messageOf(trace, index)?.from ?? '';
        expect(paused.has(from.replace(/^kubelet /, '')), `${scenario} ${index}: ${from}`).toBe(false);
      });
    }
  });

  test.each([
    ['node-down', 'node-lifecycle-controller: update Pod first', 'taint-eviction-controller: update Pod first', 'pod-garbage-collector: update Pod first', 'pod-garbage-collector: remove Pod first', 'person: update Node ab-worker2'],
    ['rwop-preemption', 'scheduler: update Pod ordinary', 'kubelet ab-worker2: remove Pod ordinary'],
    ['statefulset-templates', 'statefulset-controller: create PVC data-web-0', 'statefulset-controller: create Pod web-0', 'person: update Pod web-0', 'person: remove StatefulSet web', 'garbage-collector: update Pod web-0', 'garbage-collector: update Pod web-1'],
    ['rolling-update', 'deployment-controller: update Deployment web'],
    ['secret-removed', 'person: create Secret token', 'person: remove Secret token'],
  ])('%s: each write by the controller whose it is', (scenario, ...expected) => {
    const trace = recording(scenario);
    const said = messages(trace, trace.records.length - 1).map(({ from, what }) => `${from}: ${what}`);
    for (const line of expected) expect(said).toContain(line);
  });

  test('events of a pod and of the one made again under its name stand apart', () => {
    const trace = recording('pod-recreate');
    const pods = eventGroups(trace, trace.records.length - 1).filter((group) => group.about === 'pod/first');
    expect(pods.map((group) => group.former)).toEqual([true, false]);
    for (const group of pods) expect(new Set(group.rows.map((row) => row.event.involvedObject.uid)).size).toBe(1);
  });

  test('log lines, states and waits are no messages', () => {
    const trace = recording('missing-secret');
    trace.records.forEach((record, index) => {
      if (record.type === 'log' || (record.type === 'step' && record.verb === 'wait')) expect(messageOf(trace, index)).toBeUndefined();
    });
  });
});

describe('why no node fits', () => {
  test.each([
    ['zone-mismatch-immediate', { 'ab-worker': 'NodeAffinity', 'ab-worker2': 'NodeAffinity', 'ab-worker3': 'VolumeBinding', 'ab-control-plane': 'TaintToleration' }],
    ['rwop-second-pod', { 'ab-worker': 'VolumeRestrictions', 'ab-worker2': 'VolumeRestrictions', 'ab-worker3': 'VolumeRestrictions', 'ab-control-plane': 'TaintToleration' }],
    ['wait-pod-unschedulable', { 'ab-worker': 'NodeResourcesFit', 'ab-worker2': 'NodeResourcesFit', 'ab-worker3': 'NodeResourcesFit', 'ab-control-plane': 'TaintToleration' }],
    ['zone-class-forbids', { 'ab-worker': 'NodeAffinity', 'ab-worker2': 'NodeAffinity', 'ab-worker3': 'VolumeBinding', 'ab-control-plane': 'TaintToleration' }],
  ])('%s: each node by the filter that refused it, in agreement with the event', (scenario, expected) => {
    const trace = recording(scenario);
    const index = eventIndex(trace, 'FailedScheduling');
    const record = trace.records[index];
    const pod = record?.type === 'watch' && record.object.kind === 'Event' ? (record.object.involvedObject.name ?? '') : '';
    const plan = planAt(trace, index, pod);
    expect(plan?.agrees).toBe(true);
    expect(Object.fromEntries((plan?.nodes ?? []).map((node) => [node.node, node.refusedBy]))).toEqual(expected);
    for (const node of plan?.nodes ?? []) expect(node.field).not.toBe('');
  });

  test('where the counts do not add up, no node is accused', () => {
    const trace = recording('zone-mismatch-immediate');
    const index = eventIndex(trace, 'FailedScheduling');
    const untainted: Trace = { ...trace, stage: trace.stage.map((object) => (object.kind === 'Node' ? { ...object, spec: {} } : object)) };
    expect(planAt(untainted, index, 'first')?.agrees).toBe(false);
  });

  test('a pod that is refused before any node is asked has no plan', () => {
    const trace = recording('claim-not-found');
    expect(planAt(trace, eventIndex(trace, 'FailedScheduling'), 'first')).toBeUndefined();
  });
});

describe('the recordings beside a run', () => {
  const runs = [1, 2, 3].map((run) => recording('missing-secret', run));
  const index = recordedIndex('missing-secret', runs);

  test('an event of one recording is found in all three, whatever their uids and names', () => {
    for (const reason of ['FailedMount', 'Scheduled', 'ProvisioningSucceeded', 'Started', 'SuccessfulAttachVolume']) {
      const event = eventsAt(runs[1] as Trace, 1e6).find((row) => row.event.reason === reason)?.event as KubeEvent;
      const places = placesOf(index, event);
      expect(places.map(([run]) => run)).toEqual([1, 2, 3]);
      for (const [run, record] of places) {
        const there = runs[run - 1]?.records[record];
        expect(there?.type === 'watch' && there.object.kind === 'Event' ? there.object.reason : '').toBe(reason);
      }
    }
  });

  test('an event with another text, reason, author or object stands in none', () => {
    const event = eventsAt(runs[0] as Trace, 1e6).find((row) => row.event.reason === 'FailedMount')?.event as KubeEvent;
    for (const other of [
      { ...event, message: `${event.message}!` },
      { ...event, reason: 'FailedAttachVolume' },
      { ...event, source: { component: 'default-scheduler' } },
      { ...event, involvedObject: { ...event.involvedObject, name: 'second' } },
    ]) expect(placesOf(index, other)).toEqual([]);
    expect(eventKey(event)).toContain('secret "missing" not found');
  });
});

describe('the sentence of a step', () => {
  test.each([
    ['missing-secret', 'FailedMount', 'why_secretMissing'],
    ['zone-mismatch-immediate', 'FailedScheduling', 'why_zoneConflict'],
    ['rwop-second-pod', 'FailedScheduling', 'why_claimInUse'],
    ['multi-attach', 'FailedAttachVolume', 'why_multiAttachPod'],
    ['claim-lost', 'ClaimLost', 'why_claimLost'],
  ])('%s at %s: %s', (scenario, reason, why) => {
    const trace = recording(scenario);
    const index = eventIndex(trace, reason);
    expect(sentenceAt(trace, index, lineAt(trace, index)).held?.why).toBe(why);
  });

  test('a claim that waits for its first consumer is not called blocked', () => {
    const trace = recording('wait-for-first-consumer');
    const index = eventIndex(trace, 'WaitForFirstConsumer');
    expect(sentenceAt(trace, index, lineAt(trace, index)).key).toBe('say_waitsForConsumer');
  });
});

describe('the charts are drawn from the machines that run', () => {
  test.each([...machineCatalogue.keys()])('%s: every state once, every transition between states that exist, none over another', (id) => {
    const chart = machineCatalogue.get(id);
    if (chart === undefined) throw new Error('no chart');
    const drawing = layOut(chart);
    expect(drawing.states.map((state) => state.name).sort()).toEqual(chart.states.toSorted());
    expect(drawing.edges.map(({ from, event, to }) => `${from} ${event} ${to}`).sort()).toEqual(chart.transitions.filter(({ from, to }) => from !== to).map(({ from, event, to }) => `${from} ${event} ${to}`).sort());
    for (const a of drawing.states) {
      expect(a.x + a.width).toBeLessThanOrEqual(drawing.width);
      expect(a.y + a.height).toBeLessThanOrEqual(drawing.height);
      for (const b of drawing.states) {
        if (a !== b) expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true);
      }
    }
  });
});
