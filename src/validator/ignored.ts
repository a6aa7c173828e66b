/**
 * What the comparison leaves out, with the reason. This is the whole list; it follows the last section of the recordings'
 * README ("What two runs of one scenario do not share"), and `validate` prints how many recorded fields each entry dropped.
 */

export interface Ignored {
  readonly id: string;
  /** What is left out. */
  readonly what: string;
  /** Why two right runs may differ in it. */
  readonly why: string;
}

export const ignored = {
  uid: {
    id: 'uid',
    what: 'the uid of an object itself (a reference to another object by uid is compared as whose uid it is)',
    why: 'every run makes new ones',
  },
  resourceVersion: { id: 'resourceVersion', what: 'resourceVersion', why: 'counts all writes of the cluster, also those of other runs' },
  time: {
    id: 'time',
    what: 'times (that an object has a deletion or start time at all is compared)',
    why: 'two runs start at different times, and delays differ by the phase of periodic loops',
  },
  leftOut: {
    id: 'leftOut',
    what: 'managedFields, the last-applied annotation, Secret data',
    why: 'the recorder leaves them out',
  },
  generatedName: { id: 'generatedName', what: 'the name of an event', why: 'generated from its first time; events are compared by object, reason, component and text' },
  eventExpiry: { id: 'eventExpiry', what: 'deletion of an event', why: 'events live for one hour; those of earlier runs end during this one' },
  oldNodeEvent: { id: 'oldNodeEvent', what: 'events on nodes other than NodeReady and NodeNotReady', why: 'they may be older than the run' },
  loopCount: {
    id: 'loopCount',
    what: 'how often an event repeated where a periodic loop or a race decides it',
    why: 'claim resync every 15 s, pod sync, and a second look at a claim while its volume is made come by a different number of times',
  },
  otherObject: {
    id: 'otherObject',
    what: 'states of pods in another namespace (the helper pods of the local-path provisioner) and of volumes that no claim ever had',
    why: 'the log was recorded for the objects of the run only: its namespace, and the volumes of its claims',
  },
  publishTwice: { id: 'publishTwice', what: 'a second equal CSI success right after the first', why: 'ControllerPublishVolume is answered OK once or twice' },
} satisfies Record<string, Ignored>;

export type IgnoredId = keyof typeof ignored;

/** Counts what was dropped. */
export class Dropped {
  private readonly counts = new Map<IgnoredId, number>();

  add(id: IgnoredId, count = 1): void {
    this.counts.set(id, (this.counts.get(id) ?? 0) + count);
  }

  of(id: IgnoredId): number {
    return this.counts.get(id) ?? 0;
  }
}

/** The entry that a field of an object falls under, if any. `path` is dotted, without list positions. */
export function ignoredField(path: string, kind: string): IgnoredId | undefined {
  if (path === 'metadata.uid') return 'uid';
  if (/(^|\.)resourceVersion$/.test(path)) return 'resourceVersion';
  if (/(Time|Timestamp|startedAt|finishedAt|timeAdded|\.time)$/.test(path) && !comparedTimes.has(path)) return 'time';
  if (path === 'metadata.managedFields' || path === 'metadata.annotations.kubectl.kubernetes.io/last-applied-configuration') return 'leftOut';
  if (kind === 'Secret' && (path.startsWith('data') || path.startsWith('stringData'))) return 'leftOut';
  return undefined;
}

/** Times whose presence says something; their value is still free. */
export const comparedTimes: ReadonlySet<string> = new Set(['metadata.deletionTimestamp', 'status.startTime']);
