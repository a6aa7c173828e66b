/** The validator finds what was changed in a run: one record of each kind removed, altered, added, or two swapped whose order counts. */
import { describe, expect, it } from 'vitest';
import type { Trace, TraceRecord } from '../../machines/trace/format.ts';
import { compare } from '../../src/validator/compare.ts';
import type { Difference } from '../../src/validator/compare.ts';
import { factsOf } from '../../src/validator/facts.ts';
import { simulate } from '../../machines/index.ts';
import { choicesFrom } from '../../src/formats/like.ts';
import { asRun, recordingsOf } from '../helpers/traces.ts';

type Pick = (record: TraceRecord) => boolean;

const recordings = recordingsOf('node-move').map(({ trace }) => trace);
const recorded = recordings.map(recording => factsOf(recording));
const first = recordings[0] ?? expect.fail('no recording');

/** Made when first asked for, so that a simulation that stops fails its own tests only. */
function once(make: () => Trace): () => Trace {
  let made: Trace | undefined;
  return () => (made ??= make());
}

const isWrite = (kind: string, verb: string, text = ''): Pick => record =>
  record.type === 'watch' && record.object.kind === kind && record.verb === verb && JSON.stringify(record.object).includes(text);
const isEvent = (reason: string): Pick => record => record.type === 'watch' && record.object.kind === 'Event' && record.object.reason === reason;
const isCsi = (method: string): Pick => record => record.type === 'csi' && record.method === method;
const isStep = (verb: string): Pick => record => record.type === 'step' && record.verb === verb;
const isState = (machine: string, to: string): Pick => record => record.type === 'state' && record.machine === machine && record.to === to;

const kinds: readonly (readonly [string, Pick])[] = [
  ['a claim bound', isWrite('PersistentVolumeClaim', 'MODIFIED', '"phase":"Bound"')],
  ['a volume created', isWrite('PersistentVolume', 'ADDED')],
  ['a volume bound', isWrite('PersistentVolume', 'MODIFIED', '"phase":"Bound"')],
  ['a pod created', isWrite('Pod', 'ADDED')],
  ['a pod bound to a node', isWrite('Pod', 'MODIFIED', '"nodeName"')],
  ['a pod running', isWrite('Pod', 'MODIFIED', '"phase":"Running"')],
  ['a pod gone', isWrite('Pod', 'DELETED')],
  ['an attachment created', isWrite('VolumeAttachment', 'ADDED')],
  ['an attachment attached', isWrite('VolumeAttachment', 'MODIFIED', '"attached":true')],
  ['an attachment gone', isWrite('VolumeAttachment', 'DELETED')],
  ['an event', isEvent('SuccessfulAttachVolume')],
  ['a second event of the same component', isEvent('Killing')],
  ['a CSI call', isCsi('NodePublishVolume')],
  ['a command', isStep('run')],
  ['an exec', isStep('exec')],
  ['an apply', isStep('apply')],
  ['a wait', isStep('wait')],
  ['an attach state', isState('attach', 'attached')],
  ['a scheduling state', isState('scheduling', 'bound')],
  ['a claim state', isState('claim-binding', 'bound')],
  ['a device state', isState('kubelet-device', 'staged')],
];

/** Another value in a field that is compared. */
function altered(record: TraceRecord): TraceRecord {
  const copy = structuredClone(record) as unknown as Record<string, unknown> & { object?: Record<string, Record<string, unknown>> & { kind: string } };
  if (record.type === 'watch' && copy.object !== undefined) {
    if (record.object.kind === 'Event') copy.object = { ...copy.object, message: `${record.object.message} (altered)` } as never;
    else copy.object['metadata'] = { ...copy.object['metadata'], annotations: { altered: 'yes' } };
  } else if (record.type === 'csi') copy['code'] = 'Aborted';
  else if (record.type === 'state') copy['to'] = record.machine === 'attach' ? 'attachFailed' : record.machine === 'scheduling' ? 'unschedulable' : record.machine === 'kubelet-device' ? 'unstaged' : 'lost';
  else if (record.type === 'step' && record.verb === 'run') copy['text'] = `${String(record['text'])}one line more\n`;
  else if (record.type === 'step' && record.verb === 'exec') copy['code'] = 3;
  else copy['altered'] = true;
  return copy as unknown as TraceRecord;
}

/** The same once more, as if it had happened again: new uid where it is an object. */
function again(record: TraceRecord): TraceRecord {
  if (record.type !== 'watch') return record.type === 'csi' ? { ...record, code: 'Internal', error: 'again' } : record;
  return { ...record, object: { ...record.object, metadata: { ...record.object.metadata, uid: `again-${record.object.metadata.uid}` } } as never };
}

describe.each<[string, () => Trace]>([
  ['a recorded run of node-move', once(() => asRun(first))],
  ['a simulated run of node-move', once(() => simulate(first.scenario, choicesFrom(first)))],
])('in %s', (_name, made) => {
  const differencesOf = (records: readonly TraceRecord[], rest: Partial<Trace> = {}): readonly Difference[] => compare(factsOf({ ...made(), ...rest, records }), recorded).differences;
  const indexOf = (pick: Pick): number => {
    const index = made().records.findIndex(pick);
    return index === -1 ? expect.fail('the run has no such record') : index;
  };

  it('nothing is found when nothing was changed', () => {
    expect(differencesOf(made().records)).toEqual([]);
  });

  it.each(kinds)('%s removed is found missing', (_, pick) => {
    const index = indexOf(pick);
    const differences = differencesOf(made().records.filter((_record, position) => position !== index));
    expect(differences.some(({ type }) => type === 'missing' || type === 'altered')).toBe(true);
  });

  it.each(kinds)('%s altered is found', (_, pick) => {
    const index = indexOf(pick);
    expect(differencesOf(made().records.map((record, position) => (position === index ? altered(record) : record)))).not.toEqual([]);
  });

  it.each(kinds)('%s added once more is found', (_, pick) => {
    const index = indexOf(pick);
    expect(differencesOf(made().records.toSpliced(index + 1, 0, again(made().records[index] ?? expect.fail())))).not.toEqual([]);
  });

  it.each<[string, Pick, Pick, string]>([
    ['two writes of one claim', isWrite('PersistentVolumeClaim', 'ADDED'), isWrite('PersistentVolumeClaim', 'MODIFIED', '"phase":"Bound"'), 'object'],
    ['the claim bound before the volume', isWrite('PersistentVolume', 'MODIFIED', '"phase":"Bound"'), isWrite('PersistentVolumeClaim', 'MODIFIED', '"phase":"Bound"'), 'cause'],
    ['an attachment before its pod has a node', isWrite('Pod', 'MODIFIED', '"nodeName"'), isWrite('VolumeAttachment', 'ADDED'), 'cause'],
    ['two events of one component about one pod', isEvent('Created'), isEvent('Started'), 'event'],
    ['stage and publish of one volume', isCsi('NodeStageVolume'), isCsi('NodePublishVolume'), 'csi'],
    ['two states of one attachment', isState('attach', 'attaching'), isState('attach', 'attached'), 'state'],
    ['two steps', isStep('exec'), isStep('run'), 'step'],
  ])('%s swapped is found', (_, first, second, kind) => {
    const a = indexOf(first);
    const b = indexOf(second);
    const records = made().records.with(a, made().records[b] ?? expect.fail()).with(b, made().records[a] ?? expect.fail());
    expect(differencesOf(records).some(difference => difference.kind === kind)).toBe(true);
  });

  it('a line of an output, of stdout and of a refusal is compared as text', () => {
    const index = indexOf(isStep('exec'));
    const records = made().records.map((record, position) => (position === index ? { ...record, stdout: 'other bytes\n' } : record));
    expect(differencesOf(records).map(({ kind }) => kind)).toContain('exec');
    expect(differencesOf([...made().records, { type: 'output', t: 99, step: 1, code: 1, text: 'refused\n' }])).toMatchObject([{ type: 'extra', kind: 'output' }, { type: 'extra', kind: 'output' }]);
  });

  it('a step that timed out is found', () => {
    const differences = differencesOf(made().records, { failed: { step: 3, message: 'not met' } });
    expect(differences.map(({ type, kind }) => [type, kind])).toEqual([['extra', 'end'], ['missing', 'end']]);
  });

  it('a pod on another node is one difference, not one in every record', () => {
    const text = JSON.stringify(made().records).replaceAll('ab-worker2', 'ab-worker4');
    const differences = compare(factsOf({ ...made(), stage: JSON.parse(JSON.stringify(made().stage).replaceAll('ab-worker2', 'ab-worker4')) as Trace['stage'], records: JSON.parse(text) as TraceRecord[] }), recorded).differences;
    expect(differences.filter(({ kind }) => kind === 'choice').map(({ expected, found }) => [expected, found])).toContainEqual(['runs on ab-worker2', 'runs on ab-worker4']);
    // The rest are manifests and selectors, which name the node as the person wrote it.
    expect(differences.filter(({ kind }) => kind !== 'choice' && kind !== 'step' && kind !== 'object' && kind !== 'output')).toEqual([]);
  });

  it('a difference says what was expected, what was found and why it matters', () => {
    const index = indexOf(isEvent('SuccessfulAttachVolume'));
    const [difference] = differencesOf(made().records.map((record, position) => (position === index ? altered(record) : record)));
    expect(difference).toMatchObject({ type: 'altered', kind: 'event', subject: 'pod/first' });
    expect(difference?.expected).toContain('AttachVolume.Attach succeeded for volume "volume-of(disk)"');
    expect(difference?.found).toContain('(altered)');
    expect(difference?.why).toMatch(/\.$/);
  });
});
