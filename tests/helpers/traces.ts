/** Recordings for tests, and a recording made to look like a simulated run. */
import { readFileSync, readdirSync } from 'node:fs';
import type { StateRecord, Trace } from '../../machines/trace/format.ts';
import { parseTrace } from '../../src/formats/trace.ts';
import { parseLogLine } from '../../src/validator/log-line.ts';
import type { InstanceKey } from '../../src/validator/machine-key.ts';
import type { NamedTrace } from '../../src/validator/judge.ts';
import { lastStates, settledIndex } from '../../src/validator/state-facts.ts';
import { matches, witnesses } from '../../src/validator/witness.ts';

const folder = new URL('../../content/traces/', import.meta.url);

/** Ids of all recorded scenarios. */
export const scenarioIds: readonly string[] = readdirSync(folder).sort();

/** All recordings of a scenario, in order of their numbers. */
export function recordingsOf(scenario: string): NamedTrace[] {
  return readdirSync(new URL(`${scenario}/`, folder))
    .sort()
    .map(name => ({ file: `${scenario}/${name}`, trace: parseTrace(readFileSync(new URL(`${scenario}/${name}`, folder), 'utf8'), name) }));
}

/** The recording as a simulated run would be written down: `state` records in the place of the log lines that witness them. */
export function asRun(recording: Trace): Trace {
  const keys = new EngineKeys(recording);
  const last = new Map<string, string>();
  const placed = recording.records.flatMap((record, index) => {
    if (record.type !== 'log') return [{ record, at: index }];
    const line = parseLogLine(record);
    const sightings = witnesses.find(witness => matches(witness, line))?.read(line, keys) ?? [];
    return sightings.flatMap(sighting => {
      const key = keys.of(sighting.key);
      if (sighting.how === 'details' || key === undefined) return [];
      const from = last.get(`${sighting.machine} ${key}`) ?? sighting.state;
      last.set(`${sighting.machine} ${key}`, sighting.state);
      const at = lastStates.has(`${sighting.machine}.${sighting.state}`) ? index : settledIndex(recording, index);
      const state: StateRecord = { type: 'state', t: recording.records[at]?.t ?? record.t, machine: sighting.machine, key, event: 'seen', from, to: sighting.state };
      // A run is written in true order; a line of the log may stand a little before the write that it is about.
      return [{ record: state, at }];
    });
  });
  return { ...recording, records: placed.sort((a, b) => a.at - b.at).map(({ record }) => record) };
}

/** Writes keys the way the engine does. */
class EngineKeys {
  private readonly podName = new Map<string, string>();
  private readonly podVolume = new Map<string, string>();
  private readonly waiting = new Set<string>();
  /** Unique name by PV. */
  private readonly handles = new Map<string, string>();
  private readonly volumeOnNode = new Map<string, string>();
  private readonly podsHere = new Set<string>();

  constructor(trace: Trace) {
    const classes = new Set<string>();
    const claims = new Map<string, string>();
    const objects = [...trace.stage, ...trace.records.flatMap(record => (record.type === 'watch' ? [record.object] : []))];
    for (const object of objects) {
      const name = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
      if (object.kind === 'StorageClass' && object.volumeBindingMode === 'WaitForFirstConsumer') classes.add(object.metadata.name);
      if (object.kind === 'PersistentVolumeClaim' && classes.has(object.spec.storageClassName ?? '')) this.waiting.add(name);
      if (object.kind === 'PersistentVolume' && object.spec.claimRef?.name !== undefined) {
        const claim = `${object.spec.claimRef.namespace ?? ''}/${object.spec.claimRef.name}`;
        claims.set(object.metadata.name, claim);
        if (object.spec.csi !== undefined) {
          const uniqueName = `kubernetes.io/csi/${object.spec.csi.driver}^${object.spec.csi.volumeHandle}`;
          claims.set(uniqueName, claim);
          this.handles.set(object.metadata.name, uniqueName);
        }
      }
      if (object.kind === 'Pod') {
        this.podName.set(object.metadata.uid, name);
        this.podsHere.add(name);
      }
    }
    for (const object of objects) {
      if (object.kind !== 'Pod') continue;
      for (const volume of object.spec.volumes ?? []) {
        const claim = volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral && `${object.metadata.name}-${volume.name}`);
        for (const [pv, owner] of claims) {
          if (owner !== `${object.metadata.namespace ?? ''}/${claim ?? ''}`) continue;
          const pod = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
          this.podVolume.set(`${pod} ${pv}`, volume.name);
          if (object.spec.nodeName !== undefined) this.volumeOnNode.set(`${object.spec.nodeName} ${pv}`, `${pod}/${volume.name}`);
        }
      }
    }
  }

  waitsForConsumer(claim: string): boolean {
    return this.waiting.has(claim);
  }

  of(key: InstanceKey): string | undefined {
    if (key.about === 'device' && this.handles.has(key.uniqueName)) return `${key.node ?? 'any'}/${this.handles.get(key.uniqueName) ?? ''}`;
    if (key.about === 'podVolume' && key.onNode !== undefined) return this.volumeOnNode.get(`${key.onNode} ${key.volume}`);
    if (key.about === 'device') return `${key.node ?? 'any'}/${key.uniqueName}`;
    if (key.about !== 'pod' && key.about !== 'podVolume') return key.name;
    const pod = (key.uid === undefined ? undefined : this.podName.get(key.uid)) ?? (key.about === 'pod' ? key.name : key.pod);
    if (pod === undefined || !this.podsHere.has(pod)) return undefined;
    if (key.about === 'pod') return pod;
    const plain = /^kubernetes\.io\/[^/]+\/[0-9a-f-]{36}-(.+)$/.exec(key.volume)?.[1] ?? key.volume;
    return `${pod}/${this.podVolume.get(`${pod} ${plain}`) ?? plain}`;
  }
}
