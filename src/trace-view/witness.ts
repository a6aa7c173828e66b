/**
 * What a trace's records bear witness to beyond the API objects: that a volume was staged or published on a node, or not.
 * Three kinds of record can say so: a CSI call that the driver answered, a line of the kubelet's log, and (in a simulated
 * trace, for a driver whose calls are not recorded) a transition of the kubelet's volume machine.
 */
import type { CsiRecord, LogRecord, StateRecord, Trace, TraceRecord } from '../../machines/trace/format.ts';

export type Deed = 'stage' | 'unstage' | 'publish' | 'unpublish' | 'start' | 'back-off';

export interface Witness {
  readonly index: number;
  readonly t: number;
  readonly deed: Deed;
  readonly ok: boolean;
  readonly node: string | undefined;
  /** Names of the volume that this record knows: PV name, CSI handle, or the pod volume's own name. */
  readonly volume: readonly string[];
  /** The pod, where the record names one: its uid, or `namespace/name` in a machine's key. */
  readonly pod: string | undefined;
  /** How the record says it, shortened to the words that count. */
  readonly says: string;
}

const cache = new WeakMap<Trace, readonly Witness[]>();

/** Every witness of a trace, in the order of its records. */
export function witnesses(trace: Trace): readonly Witness[] {
  let found = cache.get(trace);
  if (found === undefined) {
    found = trace.records.flatMap((record, index) => witnessOf(record, index) ?? []);
    cache.set(trace, found);
  }
  return found;
}

function witnessOf(record: TraceRecord, index: number): Witness | undefined {
  if (record.type === 'csi') return fromCsi(record, index);
  if (record.type === 'log') return fromLog(record, index);
  if (record.type === 'state') return fromState(record, index);
  return undefined;
}

const CSI_DEEDS: Readonly<Record<string, Deed>> = {
  NodeStageVolume: 'stage',
  NodeUnstageVolume: 'unstage',
  NodePublishVolume: 'publish',
  NodeUnpublishVolume: 'unpublish',
};

function fromCsi(record: CsiRecord, index: number): Witness | undefined {
  const deed = CSI_DEEDS[record.method];
  if (deed === undefined) return undefined;
  const target = text(record.request['target_path']);
  const inPod = /\/pods\/([^/]+)\/volumes\/[^/]+\/([^/]+)/.exec(target);
  return {
    index,
    t: record.t,
    deed,
    ok: record.code === 'OK',
    node: record.node,
    volume: [text(record.request['volume_id']), inPod?.[2] ?? ''].filter((name) => name !== ''),
    pod: inPod?.[1],
    says: `${record.method}: ${record.code}${record.error === '' ? '' : ` ${record.error}`}`,
  };
}

/** Lines of the kubelet's log, by what they begin with. Reference: recorded-refinements, section 14. */
const LOG_DEEDS: readonly { readonly at: RegExp; readonly deed: Deed; readonly ok: boolean }[] = [
  { at: /^(?:MountVolume\.MountDevice|MapVolume\.SetUpDevice) succeeded for volume/, deed: 'stage', ok: true },
  { at: /^(?:MountVolume\.SetUp|MapVolume\.MapPodDevice) succeeded for volume/, deed: 'publish', ok: true },
  { at: /^UnmountVolume\.TearDown succeeded for volume/, deed: 'unpublish', ok: true },
  { at: /^(?:UnmountDevice|UnmapDevice) succeeded for volume/, deed: 'unstage', ok: true },
  { at: /^operationExecutor\.(?:MountVolume|MapVolume) started for volume/, deed: 'start', ok: true },
  { at: /^Operation for "\{volumeName:/, deed: 'back-off', ok: false },
];

function fromLog(record: LogRecord, index: number): Witness | undefined {
  if (record.component !== 'kubelet') return undefined;
  const line = unquoted(record.text);
  const kind = LOG_DEEDS.find((entry) => entry.at.test(line));
  if (kind === undefined) return undefined;
  const unique = /(?:UniqueName: "|volume "|\{volumeName:)(kubernetes\.io\/[^\s"]+)/.exec(line)?.[1] ?? '';
  const pod = /\(UID: "([^"]+)"\)|podName:([0-9a-f-]+)/.exec(line);
  return {
    index,
    t: record.t,
    deed: kind.deed,
    ok: kind.ok,
    node: record.node ?? undefined,
    volume: [
      /^[\w.]+(?: started| succeeded) for volume "([^"]+)"/.exec(line)?.[1],
      /InnerVolumeSpecName "([^"]+)"/.exec(line)?.[1],
      unique.includes('^') ? unique.slice(unique.indexOf('^') + 1) : /\/[0-9a-f-]{36}-(.+)$/.exec(unique)?.[1],
    ].filter((name): name is string => name !== undefined && name !== '' && !name.startsWith('kubernetes.io/')),
    pod: pod?.[1] ?? (pod?.[2] === '' ? undefined : pod?.[2]),
    says: shortLog(line),
  };
}

/** klog prints a structured line's message in Go's quotes. */
function unquoted(line: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  return quoted === undefined ? line : quoted.replace(/\\(.)/g, '$1');
}

function shortLog(line: string): string {
  const retry = /durationBeforeRetry [^)]+/.exec(line)?.[0];
  if (retry !== undefined) return retry;
  return /^[\w.]+ (?:succeeded|started) for volume "[^"]+"/.exec(line)?.[0] ?? line.slice(0, 80);
}

/**
 * The kubelet's machines of a simulated run, by the state they enter. `kubelet-volume` has the key
 * `namespace/pod/volume`, `kubelet-device` has `node/kubernetes.io/csi/DRIVER^HANDLE`.
 */
const STATE_DEEDS: Readonly<Record<string, { readonly deed: Deed; readonly ok: boolean }>> = {
  'kubelet-volume:staging': { deed: 'start', ok: true },
  'kubelet-volume:publishing': { deed: 'start', ok: true },
  'kubelet-volume:published': { deed: 'publish', ok: true },
  'kubelet-volume:unpublished': { deed: 'unpublish', ok: true },
  'kubelet-device:staged': { deed: 'stage', ok: true },
  'kubelet-device:unstaged': { deed: 'unstage', ok: true },
};

function fromState(record: StateRecord, index: number): Witness | undefined {
  const kind = STATE_DEEDS[`${record.machine}:${record.to}`];
  if (kind === undefined) return undefined;
  const device = record.machine === 'kubelet-device';
  const cut = device ? record.key.indexOf('/') : record.key.lastIndexOf('/');
  const [before, behind] = [record.key.slice(0, cut), record.key.slice(cut + 1)];
  return {
    index,
    t: record.t,
    deed: kind.deed,
    ok: kind.ok,
    node: device ? before : undefined,
    volume: [device ? behind.slice(behind.indexOf('^') + 1) : behind],
    pod: device ? undefined : before,
    says: record.to,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
