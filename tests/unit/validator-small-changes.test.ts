/** Small changes that a careless engine would make, each in one record of a right run. */
import { describe, expect, it } from 'vitest';
import { machineCatalogue } from '../../machines/catalogue.ts';
import { simulate } from '../../machines/index.ts';
import type { Trace, TraceRecord } from '../../machines/trace/format.ts';
import { choicesFrom } from '../../src/formats/like.ts';
import { compare } from '../../src/validator/compare.ts';
import { factsOf } from '../../src/validator/facts.ts';
import { raggedTables } from '../../src/validator/tables.ts';
import { recordingsOf } from '../helpers/traces.ts';

/** A record as it is in JSON: what is changed here is free of types on purpose. */
type Fields = Record<string, ReturnType<typeof JSON.parse>>;

const family = (id: string): { readonly run: Trace; readonly recorded: readonly ReturnType<typeof factsOf>[] } => {
  const recordings = recordingsOf(id).map(({ trace }) => trace);
  const first = recordings[0] ?? expect.fail('no recording');
  return { run: simulate(first.scenario, choicesFrom(first)), recorded: recordings.map(recording => factsOf(recording)) };
};
const families = { 'node-move': family('node-move'), 'immediate-happy': family('immediate-happy'), 'ephemeral-volume': family('ephemeral-volume') };

/** Differences after `change` of a copy of all records. */
function after(id: keyof typeof families, change: (records: Fields[]) => void): number {
  const { run, recorded } = families[id];
  const records = structuredClone(run.records) as unknown as Fields[];
  change(records);
  return compare(factsOf({ ...run, records: records as unknown as TraceRecord[] }, machineCatalogue), recorded).differences.length;
}

const object = (kind: string, has: (object: Fields) => unknown = () => true) => (records: Fields[]): Fields =>
  records.find(record => record['type'] === 'watch' && record['object'].kind === kind && has(record['object']))?.['object'] ?? expect.fail(`no ${kind}`);
const event = (reason: string): ((records: Fields[]) => Fields) => object('Event', found => found['reason'] === reason);
const container = (state: string) => (records: Fields[]): Fields =>
  object('Pod', pod => pod['status'].containerStatuses?.[0].state[state])(records)['status'].containerStatuses[0].state[state];

const index = (records: Fields[], type: string, is: (record: Fields) => unknown): number => {
  const found = records.findIndex(record => record['type'] === type && is(record));
  return found === -1 ? expect.fail(`no ${type}`) : found;
};
const at = (records: Fields[], type: string, is: (record: Fields) => unknown): Fields => records[index(records, type, is)] ?? expect.fail();

const changes: readonly (readonly [string, (records: Fields[]) => unknown])[] = [
  ['an event of another API group', records => (event('Started')(records)['apiVersion'] = 'events.k8s.io/v1')],
  ['an event in another namespace', records => (event('Started')(records)['metadata'].namespace = 'elsewhere')],
  ['an event about another version of the API', records => (event('Started')(records)['involvedObject'].apiVersion = 'v2')],
  ['an event about an object that is none', records => (event('Started')(records)['involvedObject'].uid = '00000000-0000-4000-8000-000000000000')],
  ['an event about an object in no namespace', records => delete event('Started')(records)['involvedObject'].namespace],
  ['an event about no version of its object', records => delete event('Started')(records)['involvedObject'].resourceVersion],
  ['an event with the time of the newer API', records => (event('Started')(records)['eventTime'] = '2026-01-01T00:00:00.000000Z')],
  ['an event with no first time', records => delete event('Started')(records)['firstTimestamp']],
  ['an event not named after its object', records => (event('Started')(records)['metadata'].name = 'other.1')],
  ['an event written as a second one', records => { const copy = structuredClone(records[index(records, 'watch', record => record['object'].reason === 'Started')] ?? expect.fail()); copy['object'].metadata.uid = 'ffffffff-0000-4000-8000-000000000000'; copy['object'].metadata.resourceVersion = '99999999'; copy['t'] = records.at(-1)?.['t']; records.push(copy); }],
  ['a container that runs since no time', records => delete container('running')(records)['startedAt']],
  ['a condition that changed at no time', records => delete object('Pod', pod => pod['status'].conditions)(records)['status'].conditions[0].lastTransitionTime],
  ['an object made at no time', records => delete object('PersistentVolumeClaim')(records)['metadata'].creationTimestamp],
  ['a volume whose phase changed at no time', records => delete object('PersistentVolume')(records)['status'].lastPhaseTransitionTime],
  ['a volume that names its claim at no version', records => delete object('PersistentVolume')(records)['spec'].claimRef.resourceVersion],
  ['a volume with another handle for one write', records => (object('PersistentVolume')(records)['spec'].csi.volumeHandle = 'vol-00000000')],
  ['a token volume without its letters', records => { const pod = object('Pod')(records); pod['spec'] = JSON.parse(JSON.stringify(pod['spec']).replace(/kube-api-access-\w{5}/g, 'kube-api-access')); }],
  ['a write of what was there already', records => { const place = index(records, 'watch', record => record['object'].kind === 'PersistentVolume'); const copy = structuredClone(records[place] ?? expect.fail()); copy['verb'] = 'MODIFIED'; copy['object'].metadata.resourceVersion += '0'; records.splice(place + 1, 0, copy); }],
  ['a version that is not above the last one', records => (object('Pod')(records)['metadata'].resourceVersion = '1')],
  ['a record before the one before it', records => ((records.at(-1) ?? expect.fail())['t'] = 0)],
  ['a state left that was not entered', records => { at(records, 'state', record => record['machine'] === 'scheduling' && record['to'] === 'bound')['from'] = 'unschedulable'; }],
  ['a transition that the chart has not', records => { at(records, 'state', record => record['machine'] === 'container')['event'] = 'NO_SUCH'; }],
  ['a machine that is none', records => { at(records, 'state', record => record['machine'] === 'container')['machine'] = 'engine'; }],
  ['a state entered twice', records => { const place = index(records, 'state', record => record['machine'] === 'container'); records.splice(place, 0, structuredClone(records[place] ?? expect.fail())); }],
  ['output of exec without its line end', records => { const step = at(records, 'step', record => record['verb'] === 'exec' && record['stdout'].endsWith('\n')); step['stdout'] = step['stdout'].slice(0, -1); }],
  ['output of exec with a blank more', records => { const step = at(records, 'step', record => record['verb'] === 'exec' && record['stdout'] !== ''); step['stdout'] = ` ${String(step['stdout'])}`; }],
  ['output of a command without its line end', records => { const step = at(records, 'step', record => record['verb'] === 'run'); step['text'] = step['text'].slice(0, -1); }],
  ['a table whose columns are not padded', records => { const step = at(records, 'step', record => record['verb'] === 'run' && / {3}/.test(record['text'])); step['text'] = step['text'].replace(/ {3,}/g, ' '); }],
];

const ofZonalVolumes: typeof changes = [
  ['a component that calls itself by another pod', records => { for (const record of records) if (record['object']?.reportingComponent?.includes('_disk-controller-') === true) record['object'].reportingComponent = record['object'].reportingComponent.replace(/_disk-controller-[^_]*/, '_disk-controller-0'); }],
  ['an attachment with another name', records => { const { name } = object('VolumeAttachment')(records)['metadata']; for (const record of records) if (record['object']?.metadata.name === name) record['object'].metadata.name = `csi-${'0'.repeat(64)}`; }],
  ['a device path of a CSI volume', records => (object('Node', node => node['status'].volumesAttached?.length)(records)['status'].volumesAttached[0].devicePath = '/dev/sdb')],
  ['a call answered OK with an error', records => (at(records, 'csi', record => record['code'] === 'OK')['error'] = 'odd')],
  ['a call made twice', records => { const place = index(records, 'csi', record => record['method'] === 'NodeStageVolume'); records.splice(place, 0, structuredClone(records[place] ?? expect.fail())); }],
  ['ControllerPublishVolume answered three times', records => { const place = index(records, 'csi', record => record['method'] === 'ControllerPublishVolume'); records.splice(place, 0, ...[1, 2].map(() => structuredClone(records[place] ?? expect.fail()))); }],
];

const ofMounts = ['254:0 /', '/_data/lib/', ' - ext4 ', 'rw,discard', ',relatime'] as const;

describe('found in a run that is right but for', () => {
  it.each([...changes, ...ofZonalVolumes])('%s', (_, change) => {
    expect(after('node-move', () => undefined)).toBe(0);
    expect(after('node-move', change)).toBeGreaterThan(0);
  });

  it.each(ofMounts)('another word in place of "%s" in a row of mountinfo', part => {
    expect(after('immediate-happy', records => {
      const step = at(records, 'step', record => record['stdout']?.includes(part) === true);
      step['stdout'] = step['stdout'].replace(part, part.replace(/[a-z0-9]/, 'x'));
    })).toBeGreaterThan(0);
  });
});

describe('passed, since two recordings may differ in it', () => {
  it('ControllerPublishVolume answered OK twice', () => {
    expect(after('node-move', records => { const place = index(records, 'csi', record => record['method'] === 'ControllerPublishVolume'); records.splice(place, 0, structuredClone(records[place] ?? expect.fail())); })).toBe(0);
  });

  it('DeleteVolume answered OK twice, not three times', () => {
    const again = (times: number) => after('ephemeral-volume', records => { const place = index(records, 'csi', record => record['method'] === 'DeleteVolume'); for (let i = 0; i < times; i += 1) records.splice(place, 0, structuredClone(records[place] ?? expect.fail())); });
    expect(again(1)).toBe(0);
    expect(again(2)).toBeGreaterThan(0);
  });
});

describe('a table of kubectl', () => {
  it('has columns as wide as the widest cell and three blanks', () => {
    expect(raggedTables('NAME   READY   AGE\nlong   1/1     3s\n')).toEqual([]);
    expect(raggedTables('NAME   READY   AGE\nlonger   1/1     3s\n')).toEqual(['NAME READY AGE']);
  });

  it('has its columns apart at all', () => {
    expect(raggedTables('NAME READY AGE\nlong 1/1 3s\n')).toEqual(['NAME READY AGE']);
    expect(raggedTables('NAME   NOMINATED NODE\nlong   <none>\n')).toEqual([]);
  });

  it('may have a cell of several lines at its end', () => {
    expect(raggedTables('NAME   STATUS    ANNOTATIONS\ndisk   Pending   map[a:{}\n b:c]\n')).toEqual([]);
  });
});
