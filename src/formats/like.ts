/**
 * What `--like` reads from a trace: the stage, and the choices that the real system leaves free. Nothing else of the
 * trace has any influence.
 *
 * A pod's key is that of `PodKeys`. A claim's is `ns/name`, or `ns/name#2` for the second volume made for a claim of this
 * name. Only fields that are themselves the choice, or name the pod or claim it is about, are read: no uid, time or status.
 */
import type { AnyObject, PersistentVolume } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { PodKeys, numbered } from '../../machines/trace/pod-keys.ts';

export interface FreeChoices {
  /** Node's name by the pod's key. */
  readonly nodeOfPod: Readonly<Record<string, string>>;
  /** Zone by the claim's key. */
  readonly zoneOfVolume: Readonly<Record<string, string>>;
}

export interface Like {
  readonly stage: readonly AnyObject[];
  readonly choices: FreeChoices;
}

/** Reads stage and free choices of a trace. */
export function choicesFrom(trace: Trace): Like {
  const writes = trace.records.flatMap(record => (record.type === 'watch' ? [record] : []));
  const keys = new PodKeys();
  const nodeOfPod: Record<string, string> = {};
  const zoneOfVolume: Record<string, string> = {};
  const volumesOfClaim = new Map<string, number>();
  for (const { verb, object } of writes) {
    if (object.kind === 'ReplicaSet') keys.learn(object);
    if (object.kind === 'Pod') {
      const key = verb === 'ADDED' ? keys.added(object) : keys.current(object);
      if (key !== undefined && object.spec.nodeName !== undefined) nodeOfPod[key] ??= object.spec.nodeName;
    }
    if (object.kind === 'PersistentVolume' && verb === 'ADDED' && object.spec.claimRef?.name !== undefined) {
      const claim = `${object.spec.claimRef.namespace ?? ''}/${object.spec.claimRef.name}`;
      const ordinal = (volumesOfClaim.get(claim) ?? 0) + 1;
      volumesOfClaim.set(claim, ordinal);
      const zone = zoneOf(object);
      if (zone !== undefined) zoneOfVolume[numbered(claim, ordinal)] = zone;
    }
  }
  return { stage: trace.stage, choices: { nodeOfPod, zoneOfVolume } };
}

function zoneOf(volume: PersistentVolume): string | undefined {
  for (const term of volume.spec.nodeAffinity?.required?.nodeSelectorTerms ?? []) {
    for (const expression of term.matchExpressions ?? []) if (expression.key.endsWith('/zone')) return expression.values?.[0];
  }
  return undefined;
}
