/**
 * What the comparison leaves out, with the reason. This is the whole list; it follows the last section of the recordings'
 * README ("What two runs of one scenario do not share"), and `validate` prints how many recorded fields each entry dropped.
 */

export interface Ignored {
  /** What is left out. */
  readonly what: string;
  /** Why two right runs may differ in it. */
  readonly why: string;
}

export const ignored = {
  uid: {
    what: 'the uid of an object itself (a reference to another object by uid is compared as whose uid it is)',
    why: 'every run makes new ones',
  },
  resourceVersion: { what: 'resourceVersion', why: 'counts all writes of the cluster, also those of other runs' },
  time: {
    what: 'times (that an object has a deletion or start time at all is compared)',
    why: 'two runs start at different times, and delays differ by the phase of periodic loops',
  },
  generatedName: {
    what: 'the letters of generated names, ids, hashes, pod IPs (each is compared as what it stands for: volume-of(claim), attachment-of(volume,node))',
    why: 'every run generates its own',
  },
  freeChoice: {
    what: 'names of nodes and zones where the cluster chose (compared by role, node-of(pod); that the choice is a recorded one is compared once)',
    why: 'the scheduler may choose any node that fits',
  },
  leftOut: { what: 'managedFields, the last-applied annotation, Secret data', why: 'the recorder leaves them out' },
  eventName: { what: 'the name of an event', why: 'generated from its first time; events are compared by object, reason, component and text' },
  eventExpiry: { what: 'deletion of an event', why: 'events live for one hour; those of earlier runs end during this one' },
  oldNodeEvent: { what: 'events on nodes other than NodeReady and NodeNotReady', why: 'they may be older than the run' },
  loopCount: {
    what: 'how often an event repeated where a periodic loop or a race decides it (`freeCounts`)',
    why: 'claim resync every 15 s, node status every 10 s, and scheduling attempts that saw another write or not come by a different number of times',
  },
  publishTwice: { what: 'a second equal CSI success right after the first', why: 'ControllerPublishVolume is answered OK once or twice' },
  printedValue: { what: 'ages, times and counts in command outputs (`maskedValues`)', why: 'a command runs at another moment in every run' },
  mountRow: { what: 'of a mountinfo row all but mount point, per-mount options and the path suffix of the volume', why: 'mount ids and host directories are those of the machine' },
  otherObject: {
    what: 'states of pods in another namespace (the helper pods of the local-path provisioner) and of volumes that no claim ever had',
    why: 'the log was recorded for the objects of the run only: its namespace, and the volumes of its claims',
  },
  afterEnd: {
    what: 'that a run must have what recordings show after their last step had ended (that it may is compared)',
    why: 'how long the recorder went on listening, and what of the node status every 10 s fell into that, is no part of the scenario',
  },
  quietLine: { what: 'log lines that witness no state (`ignoredLines`, each with its reason)', why: 'what they tell stands in another record, or a loop repeats it' },
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

/**
 * Events whose count hangs on a timer or a race even where the few recordings happen to agree, with the timer or race.
 * A count that the recordings disagree on is free anyway.
 */
const freeCounts: Readonly<Record<string, string>> = {
  'persistentvolume-controller ExternalProvisioning': 'claim resync every 15 s, and a second look at the claim before its volume exists',
  'persistentvolume-controller WaitForFirstConsumer': 'claim resync every 15 s',
  'persistentvolume-controller WaitForPodScheduled': 'claim resync every 15 s',
  'persistentvolume-controller FailedBinding': 'claim resync every 15 s',
  'persistentvolume-controller ProvisioningFailed': 'claim resync every 15 s',
  'default-scheduler FailedScheduling': 'whether an attempt saw another component\'s write yet',
  'taint-eviction-controller TaintManagerEviction': 'counted on from earlier pods of the same name',
  'node-controller NodeNotReady': 'counted on from before the run',
  'kubelet NodeReady': 'counted on from before the run',
  '* VolumeFailedDelete': 'tried again until the volume is detached, which hangs on the node status every 10 s',
};

/** Whether the count of such an event is free. */
export function isFreeCount(component: string, reason: string): boolean {
  return freeCounts[`${component} ${reason}`] !== undefined || freeCounts[`* ${reason}`] !== undefined;
}

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const duration = '(?:\\d+y)?(?:\\d+d)?(?:\\d+h)?(?:\\d+m)?(?:\\d+s)?';

/** The written list of values that are masked in a line of a command's output, in order. */
export const maskedValues: readonly { readonly what: string; readonly pattern: RegExp; readonly by: string }[] = [
  { what: 'time as kubectl describe prints it', pattern: new RegExp(`\\b\\w{3}, \\d{2} (?:${months}) \\d{4} \\d{2}:\\d{2}:\\d{2} [+-]\\d{4}`, 'g'), by: '<time>' },
  { what: 'RFC 3339 time', pattern: /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, by: '<time>' },
  { what: 'time as ls prints it', pattern: new RegExp(`\\b(?:${months}) +\\d{1,2} +\\d{2}:\\d{2}\\b`, 'g'), by: '<time>' },
  { what: 'length of a link into the directory that holds the files of a Secret, ConfigMap or token volume', pattern: /\b\d+ (?=<time> \S+ -> \.\.\d{4}_)/g, by: '<length> ' },
  { what: 'that directory, named by its time and a random number', pattern: /\.\.\d{4}(?:_\d{2}){5}\.\d+/g, by: '..<time>' },
  { what: 'count and span of an event', pattern: new RegExp(`\\b${duration} \\(x\\d+ over ${duration}\\)`, 'g'), by: '<age>' },
  { what: 'span in brackets', pattern: new RegExp(`\\((?:lasts )?${duration}(?: ago)?\\)`, 'g'), by: '(<age>)' },
  { what: 'age in a column', pattern: /(?<=^|\s)(?:\d+[ydhms]){1,2}(?=\s|$)/g, by: '<age>' },
];
