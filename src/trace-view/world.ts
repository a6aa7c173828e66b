/** What stands in the API server after a record of a trace: the trace's own stage, then its writes in order. */
import type { AnyObject, Kind, KindMap } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';

/** One object as last written. */
export interface Held<O extends AnyObject = AnyObject> {
  readonly object: O;
  /** The record that wrote it; -1 for what stood before the first step. */
  readonly index: number;
  /** Seconds since the first step; undefined for what stood before. */
  readonly t: number | undefined;
  /** The same object before that write. */
  readonly before: AnyObject | undefined;
}

export interface World {
  /** Keyed by {@link objectKey}. */
  readonly objects: ReadonlyMap<string, Held>;
  /** Objects deleted by then, as last seen. */
  readonly gone: ReadonlyMap<string, Held>;
}

/** `Pod/namespace/name`; a cluster's own objects have an empty namespace. */
export function objectKey(object: AnyObject): string {
  return keyOf(object.kind, object.metadata.namespace, object.metadata.name);
}

export function keyOf(kind: string, namespace: string | undefined, name: string): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

const worlds = new WeakMap<Trace, { index: number; objects: Map<string, Held>; gone: Map<string, Held> }>();

/**
 * The world after record `index` of a trace; -1 is the stage alone. The last world asked for is kept and carried on from,
 * so that stepping forward costs one write, not a replay.
 */
export function worldAt(trace: Trace, index: number): World {
  const kept = worlds.get(trace);
  const start = kept !== undefined && kept.index <= index ? kept : { index: -1, ...standing(trace) };
  const objects = new Map(start.objects);
  const gone = new Map(start.gone);
  const end = Math.min(index, trace.records.length - 1);
  for (let i = start.index + 1; i <= end; i++) {
    const record = trace.records[i];
    if (record?.type !== 'watch') continue;
    const key = objectKey(record.object);
    const held: Held = { object: record.object, index: i, t: record.t, before: objects.get(key)?.object };
    if (record.verb === 'DELETED') {
      objects.delete(key);
      gone.set(key, held);
    } else {
      objects.set(key, held);
      gone.delete(key);
    }
  }
  worlds.set(trace, { index: Math.max(end, -1), objects, gone });
  return { objects, gone };
}

function standing(trace: Trace): { objects: Map<string, Held>; gone: Map<string, Held> } {
  const objects = new Map<string, Held>(
    trace.stage.map((object) => [objectKey(object), { object, index: -1, t: undefined, before: undefined }]),
  );
  return { objects, gone: new Map() };
}

/** All objects of one kind, in the order in which they first appeared. */
export function ofKind<K extends Kind>(world: World, kind: K): Held<KindMap[K]>[] {
  return [...world.objects.values()].filter((held) => held.object.kind === kind) as unknown as Held<KindMap[K]>[];
}

export function find<K extends Kind>(world: World, kind: K, namespace: string | undefined, name: string): Held<KindMap[K]> | undefined {
  return world.objects.get(keyOf(kind, namespace, name)) as Held<KindMap[K]> | undefined;
}

/**
 * Since when an object has been as it is now in one respect: the write that made it so, if all later ones left it so. What
 * stood before the first step has no time.
 */
export function heldSince<O extends AnyObject>(trace: Trace, held: Held<O>, holds: (object: O) => boolean): { readonly index: number; readonly t: number } | undefined {
  const key = objectKey(held.object);
  let since: { index: number; t: number } | undefined;
  for (let i = held.index; i >= 0; i--) {
    const record = trace.records[i];
    if (record?.type !== 'watch' || objectKey(record.object) !== key) continue;
    if (record.object.metadata.uid !== held.object.metadata.uid || !holds(record.object as O)) return since;
    since = { index: i, t: record.t };
  }
  return since;
}
