/**
 * What must hold at every moment of every run, whatever a person does. Reads a trace only, so that recorded runs can be
 * held to the same. State records say what happens on a node; where a trace has none (a recorded one), those rules see nothing.
 */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../model/objects.ts';
import type { StateRecord, TraceRecord, WatchRecord } from './format.ts';

export interface Violation {
  /** Seconds since the first step. */
  readonly t: number;
  readonly rule: string;
  readonly what: string;
}

/** Every violation of the invariants in a trace, in the order of its records. */
export function violationsOf(records: readonly TraceRecord[]): Violation[] {
  const rules = [oneClaimPerVolume(), publishedBeforeRunning(), exclusiveClaims(), releasedStaysReleased()];
  const found: Violation[] = [];
  for (const record of records) {
    for (const rule of rules) {
      const what = rule.see(record);
      if (what !== undefined) found.push({ t: record.t, rule: rule.name, what });
    }
  }
  return found;
}

interface Rule {
  readonly name: string;
  /** What the record breaks, in a sentence; undefined when nothing. */
  see(record: TraceRecord): string | undefined;
}

function keyOf({ object }: WatchRecord): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

/**
 * A volume is never bound to two claims that both exist. Who clears the claimRef of a bound volume by hand frees it: the
 * claim still says Bound until its next sync, and no longer counts.
 */
function oneClaimPerVolume(): Rule {
  const claimOf = new Map<string, string>();
  const volumeOf = new Map<string, string>();
  const see = (record: WatchRecord & { readonly object: PersistentVolumeClaim }): string | undefined => {
    const key = keyOf(record);
    const { uid } = record.object.metadata;
    const before = volumeOf.get(uid);
    const volume = record.verb !== 'DELETED' && record.object.status.phase === 'Bound' ? record.object.spec.volumeName : undefined;
    if (before !== undefined && before !== volume) {
      volumeOf.delete(uid);
      if (claimOf.get(before) === uid) claimOf.delete(before);
    }
    if (volume === undefined) return undefined;
    const other = claimOf.get(volume);
    claimOf.set(volume, uid);
    volumeOf.set(uid, volume);
    return other !== undefined && other !== uid ? `volume ${volume} is bound to ${key} and to another claim` : undefined;
  };
  return {
    name: 'one volume, one claim',
    see: (record) => {
      if (isWatch(record, 'PersistentVolume') && record.object.spec.claimRef === undefined) claimOf.delete(record.object.metadata.name);
      return isWatch(record, 'PersistentVolumeClaim') ? see(record) : undefined;
    },
  };
}

/** Published volumes of the pod of one name, and of one before it whose volumes are still being unmounted. */
interface Published {
  readonly now: Set<string>;
  readonly leaving: Set<string>;
}

function volumesOf(pod: Pod | undefined): string[] {
  return (pod?.spec.volumes ?? []).map(({ name }) => name);
}

/** No container runs before every volume of its pod is published. */
function publishedBeforeRunning(): Rule {
  const pods = new Map<string, Pod>();
  const gone = new Set<string>();
  const started = new Set<string>();
  /** Of a pod deleted by force in the middle of its start: its volumes and the containers still to come, though another pod has its name by then. */
  const late = new Map<string, { readonly volumes: readonly string[]; readonly containers: Set<string> }>();
  const published = new Map<string, Published>();
  const of = (key: string): Published => {
    let known = published.get(key);
    if (!known) published.set(key, (known = { now: new Set(), leaving: new Set() }));
    return known;
  };
  const seeVolume = ({ key, to }: StateRecord): void => {
    const [namespace = '', pod = '', volume = ''] = key.split('/');
    const { now, leaving } = of(`${namespace}/${pod}`);
    // A kubelet that has not yet seen the deletion of its pod still mounts for it.
    if (to === 'published') (gone.has(`${namespace}/${pod}`) ? leaving : now).add(volume);
    else if (to === 'unpublished' && !leaving.delete(volume)) now.delete(volume);
  };
  const seeStart = ({ key }: StateRecord): string | undefined => {
    const [namespace = '', name = '', container = ''] = key.split('/');
    const { now, leaving } = of(`${namespace}/${name}`);
    // A pod deleted by force may still be in the middle of its start.
    const volumes = gone.has(`${namespace}/${name}`) ? leaving : now;
    const missing = volumesOf(pods.get(`${namespace}/${name}`)).filter((volume) => !volumes.has(volume));
    const before = late.get(`${namespace}/${name}`);
    if (missing.length > 0 && before?.volumes.every((volume) => leaving.has(volume)) === true && before.containers.delete(container)) return undefined;
    started.add(key);
    return missing.length === 0 ? undefined : `container ${container} of ${namespace}/${name} runs without ${missing.join(', ')}`;
  };
  const seePod = (record: WatchRecord & { readonly object: Pod }): void => {
    const key = keyOf(record);
    pods.set(key, record.object);
    if (record.verb !== 'DELETED') {
      gone.delete(key);
      return;
    }
    gone.add(key);
    const { now, leaving } = of(key);
    for (const volume of now) leaving.add(volume);
    now.clear();
    const containers = [...(record.object.spec.initContainers ?? []), ...record.object.spec.containers].map(({ name }) => name);
    late.set(key, { volumes: volumesOf(record.object), containers: new Set(containers.filter((name) => !started.delete(`${key}/${name}`))) });
  };
  return {
    name: 'no container before its volumes',
    see: (record) => {
      if (isWatch(record, 'Pod')) seePod(record);
      if (record.type !== 'state') return undefined;
      if (record.machine === 'kubelet-volume') seeVolume(record);
      return record.machine === 'container' && record.to === 'running' ? seeStart(record) : undefined;
    },
  };
}

/** Of the pods that use a ReadWriteOncePod claim one at most is running. */
function exclusiveClaims(): Rule {
  const exclusive = new Set<string>();
  const running = new Map<string, Set<string>>();
  const claimsOf = (pod: Pod): string[] => (pod.spec.volumes ?? []).flatMap((volume) => (volume.persistentVolumeClaim ? [`${pod.metadata.namespace ?? ''}/${volume.persistentVolumeClaim.claimName}`] : []));
  const seePod = (record: WatchRecord & { readonly object: Pod }): string | undefined => {
    const pod = record.object;
    const runs = record.verb !== 'DELETED' && pod.status.phase === 'Running';
    let broken: string | undefined;
    for (const claim of claimsOf(pod)) {
      const users = running.get(claim) ?? new Set();
      if (runs) users.add(pod.metadata.uid);
      else users.delete(pod.metadata.uid);
      running.set(claim, users);
      if (runs && users.size > 1 && exclusive.has(claim)) broken = `claim ${claim} is ReadWriteOncePod and ${users.size} running pods use it`;
    }
    return broken;
  };
  return {
    name: 'ReadWriteOncePod on one running pod',
    see: (record) => {
      if (isWatch(record, 'PersistentVolumeClaim')) {
        if (record.object.spec.accessModes?.includes('ReadWriteOncePod')) exclusive.add(keyOf(record));
        else exclusive.delete(keyOf(record));
      }
      return isWatch(record, 'Pod') ? seePod(record) : undefined;
    },
  };
}

/**
 * A volume whose claim is gone is bound again only after somebody has freed it: its claimRef, or the uid in it, was
 * cleared. A volume that was made Released by hand while its claim lives may go back to it.
 */
function releasedStaysReleased(): Rule {
  const claims = new Set<string>();
  const released = new Set<string>();
  const seeVolume = ({ verb, object: { metadata, spec, status } }: WatchRecord & { readonly object: PersistentVolume }): string | undefined => {
    const owner = spec.claimRef?.uid;
    if (verb === 'DELETED' || owner === undefined) {
      released.delete(metadata.uid);
      return undefined;
    }
    if (status.phase === 'Released' && !claims.has(owner)) released.add(metadata.uid);
    if (status.phase !== 'Bound' || !released.delete(metadata.uid)) return undefined;
    return `volume ${metadata.name} was Released and is Bound again, though nobody cleared its claimRef`;
  };
  return {
    name: 'released volumes stay released',
    see: (record) => {
      if (isWatch(record, 'PersistentVolumeClaim')) {
        if (record.verb === 'DELETED') claims.delete(record.object.metadata.uid);
        else claims.add(record.object.metadata.uid);
      }
      return isWatch(record, 'PersistentVolume') ? seeVolume(record) : undefined;
    },
  };
}

function isWatch<K extends WatchRecord['object']['kind']>(record: TraceRecord, kind: K): record is WatchRecord & { readonly object: Extract<WatchRecord['object'], { kind: K }> } {
  return record.type === 'watch' && record.object.kind === kind;
}
