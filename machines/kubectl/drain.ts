/**
 * `kubectl drain`: what the line asks for, and which pods of a node it would take away. Carrying it out takes (virtual)
 * time, so the caller does that. Source: k8s.io/kubectl/pkg/cmd/drain and pkg/drain, v0.35.
 */
import type { Pod } from '../model/objects.ts';
import type { Flags, Target } from './command-words.ts';
import { allowOnly, isSet, readGoDuration, readNodes, wholeNumber } from './command-words.ts';
import { labelMatcher } from './selector.ts';
import type { ClusterView } from './view.ts';
import { listInOrder } from './view.ts';

export interface DrainCommand {
  readonly verb: 'drain';
  /** Nodes by name, or all of those that the selector keeps. */
  readonly targets: readonly Target[];
  readonly selector: string;
  readonly podSelector: string;
  readonly force: boolean;
  readonly ignoreDaemonSets: boolean;
  readonly deleteEmptyDirData: boolean;
  readonly disableEviction: boolean;
  /** Undefined: each pod's own. */
  readonly graceSeconds: number | undefined;
  /** Virtual milliseconds a node; 0: as long as it takes. */
  readonly timeoutMs: number;
  /** A pod that has been going for longer is not waited for; 0: every pod is. */
  readonly skipWaitSeconds: number;
}

const FLAGS = ['selector', 'pod-selector', 'force', 'ignore-daemonsets', 'delete-emptydir-data', 'disable-eviction', 'grace-period', 'timeout', 'skip-wait-for-delete-timeout'];

/** @modelled k8s.io/kubectl pkg/cmd/drain/drain.go, v0.35 */
export function parseDrain(positional: readonly string[], flags: Flags): DrainCommand {
  allowOnly('drain', flags, FLAGS);
  const podSelector = flags.values.get('pod-selector') ?? '';
  // A text that is no selector is refused before the first node is cordoned.
  labelMatcher(podSelector);
  const grace = wholeNumber(flags, 'grace-period', -1);
  return {
    verb: 'drain',
    ...readNodes('drain', positional, flags),
    podSelector,
    force: isSet(flags, 'force'),
    ignoreDaemonSets: isSet(flags, 'ignore-daemonsets'),
    deleteEmptyDirData: isSet(flags, 'delete-emptydir-data'),
    disableEviction: isSet(flags, 'disable-eviction'),
    graceSeconds: grace < 0 ? undefined : grace,
    timeoutMs: readGoDuration(flags.values.get('timeout') ?? '0'),
    skipWaitSeconds: wholeNumber(flags, 'skip-wait-for-delete-timeout', 0),
  };
}

/** The pods that would go, and those that stand against it or are worth a warning, by what is said of them. */
export interface DrainList {
  readonly pods: readonly Pod[];
  /** `WHAT: namespace/pod, …`, one a reason. */
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

type Verdict = { readonly goes: boolean; readonly warning?: string; readonly error?: string };

const GOES: Verdict = { goes: true };

/**
 * The pods on a node, judged one after the other.
 * @modelled k8s.io/kubectl pkg/drain/drain.go (GetPodsForDeletion), v0.35
 */
export function podsToDrain(command: DrainCommand, node: string, view: ClusterView): DrainList {
  const pods: Pod[] = [];
  const warnings = new Map<string, string[]>();
  const errors = new Map<string, string[]>();
  for (const pod of listInOrder(view, 'Pod', undefined).filter(({ spec }) => spec.nodeName === node).filter(labelMatcher(command.podSelector) as (pod: Pod) => boolean)) {
    const { goes, warning, error } = judge(command, pod, view.now);
    if (goes) pods.push(pod);
    if (warning !== undefined) note(warnings, warning, pod);
    if (error !== undefined) note(errors, error.toLowerCase().startsWith('cannot delete') ? error : `cannot delete ${error}`, pod);
  }
  return { pods, warnings: texts(warnings), errors: texts(errors) };
}

function note(by: Map<string, string[]>, what: string, { metadata }: Pod): void {
  by.set(what, [...(by.get(what) ?? []), `${metadata.namespace ?? ''}/${metadata.name}`]);
}

function texts(by: ReadonlyMap<string, readonly string[]>): string[] {
  return [...by].map(([what, pods]) => `${what}: ${pods.join(', ')}`);
}

/** The verdict of the last filter stands, so that a pod's emptyDir volumes are warned of nowhere. @modelled k8s.io/kubectl pkg/drain/filters.go, v0.35 */
function judge(command: DrainCommand, pod: Pod, now: number): Verdict {
  if (isSkipped(command, pod, now)) return { goes: false };
  const ended = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner?.kind === 'DaemonSet' && !ended && !command.force) return { goes: false, error: `daemonsets.apps "${owner.name}" not found` };
  if (pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) return { goes: false };
  if (ended) return GOES;
  if (pod.spec.volumes?.some(({ emptyDir }) => emptyDir !== undefined) === true && !command.deleteEmptyDirData) {
    return { goes: false, error: 'Pods with local storage (use --delete-emptydir-data to override)' };
  }
  if (owner !== undefined) return GOES;
  return command.force ? { goes: true, warning: 'deleting Pods that declare no controller' } : { goes: false, error: 'cannot delete Pods that declare no controller (use --force to override)' };
}

/** A pod whose deletion was asked for longer ago than `--skip-wait-for-delete-timeout`. */
export function isSkipped({ skipWaitSeconds }: DrainCommand, { metadata }: Pod, now: number): boolean {
  return skipWaitSeconds > 0 && metadata.deletionTimestamp !== undefined && Math.trunc((now - Date.parse(metadata.deletionTimestamp)) / 1000) > skipWaitSeconds;
}
