/** The person's hands on a simulated cluster. */
import { execInPod, lastAppliedConfiguration, parseCommand, ROLLOUT_OBJECT_DELETED, ROLLOUT_TIMED_OUT, rolloutStatusLine, rolloutTarget, runParsed } from '../kubectl/common.ts';
import type { ClusterView, ExecOutcome, ExecRequest, KubectlCommand, KubectlOutcome, LogsRequest, RolloutStatusCommand, SeldomCommand } from '../kubectl/common.ts';
import { KubectlError } from '../kubectl/outcome.ts';
import { timings } from '../kernel/timings.ts';
import type { World } from '../kernel/world.ts';
import type { Deployment, Json, Kind, KindMap, StatefulSet } from '../model/objects.ts';
import type { LastApplied } from './apply.ts';
import type { Hands } from './hands.ts';
import { changeObjects } from './kubectl-changes.ts';
import type { SeldomCommands } from './seldom-commands.ts';
import { changeTaint } from './taints.ts';

export function createHands(world: World, lastApplied: LastApplied, seldom?: SeldomCommands): Hands {
  const volumeOf = rememberVolumes(world);
  const view = (namespace: string): ClusterView => ({ ...viewOfWorld(world, namespace, lastApplied), describeNode: seldom?.describeNode });
  const runSeldom = (command: SeldomCommand, at: ClusterView): KubectlOutcome => {
    if (seldom === undefined) throw new Error(`"kubectl ${command.verb}" was read and cannot be carried out`);
    return seldom.run(world, command, at);
  };
  const run = (parsed: KubectlCommand, at: ClusterView): KubectlOutcome => {
    if (parsed.verb === 'rollout-status') return watchRollout(world, parsed, at);
    if (parsed.verb === 'wait' || parsed.verb === 'drain' || parsed.verb === 'events' || parsed.verb === 'rollout') return runSeldom(parsed, at);
    return parsed.verb === 'change' ? changeObjects(world, parsed, at) : runParsed(parsed, at);
  };
  return {
    kubectl: (command, namespace) => {
      try {
        return run(parseCommand(command, seldom?.parse), view(namespace));
      } catch (error) {
        // What a person typed, a selector that is none, is answered; it never ends the run.
        if (error instanceof KubectlError) return { code: 1, text: `${error.message}\n` };
        throw error;
      }
    },
    exec: (namespace, pod, container, argv) => execInPod({ pod, container, argv }, view(namespace)),
    nodeNamed: (name) => [...world.api.list('Node')].map((n) => n.metadata.name).find((n) => n === name || n.endsWith(`-${name}`)),
    nodeAction: (node, action, taint) => {
      if (action === 'pause') world.pausedNodes.add(node);
      if (action === 'unpause') world.pausedNodes.delete(node);
      if (taint !== undefined) world.api.update('Node', undefined, node, (n) => changeTaint(n, action, taint));
    },
    volumeOf,
    attachmentOf: (namespace, claim) => {
      const volume = volumeOf(namespace, claim);
      return [...world.api.list('VolumeAttachment')].findLast((a) => a.spec.source.persistentVolumeName === volume)?.metadata.name;
    },
  };
}

/** The volume that a claim is or was last bound to, also after the claim is gone. */
function rememberVolumes(world: World): Hands['volumeOf'] {
  const known = new Map<string, string>();
  world.api.watch('PersistentVolumeClaim', ({ object }) => {
    if (object.spec.volumeName !== undefined) known.set(`${object.metadata.namespace ?? ''}/${object.metadata.name}`, object.spec.volumeName);
  });
  return (namespace, claim) => known.get(`${namespace}/${claim}`);
}

function viewOfWorld(world: World, namespace: string, lastApplied: LastApplied): ClusterView {
  return {
    list: <K extends Kind>(kind: K): KindMap[K][] => [...world.api.list(kind)],
    now: world.api.unixMs,
    namespace,
    exec: (request) => execInContainer(world, request),
    logs: (request) => logsOfContainer(world, request),
    lastApplied: (object) => {
      const manifest = lastApplied.get(object.metadata.uid);
      return manifest === undefined ? undefined : lastAppliedConfiguration(manifest as { readonly [key: string]: Json }, object.metadata.namespace);
    },
  };
}

/**
 * A frozen node's kubelet accepts the connection and never answers: the API server gives up after its TLS handshake
 * time (net/http DefaultTransport, 10 s).
 * @modelled ref 12
 */
function execInContainer(world: World, request: ExecRequest): ExecOutcome {
  const node = world.api.get('Pod', request.namespace, request.pod)?.spec.nodeName;
  if (node !== undefined && world.pausedNodes.has(node)) {
    return { stdout: '', stderr: 'Error from server: error dialing backend: net/http: TLS handshake timeout\n', code: 1, durationMs: timings.tlsHandshakeTimeout };
  }
  const target = world.containers.get(`${request.namespace}/${request.pod}/${request.container}`);
  if (!target) return { stdout: '', stderr: `error: Internal error occurred: unable to upgrade connection: container not found ("${request.container}")\n`, code: 1 };
  return target.exec(request.argv, world.clock.now);
}

/** The kubelet reads the log for the API server; a frozen one never answers. @modelled ref 12 */
function logsOfContainer(world: World, { namespace, pod, container, previous }: LogsRequest): string {
  const node = world.api.get('Pod', namespace, pod)?.spec.nodeName;
  if (node !== undefined && world.pausedNodes.has(node)) {
    const host = world.api.get('Node', undefined, node)?.status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? node;
    throw new KubectlError(`Error from server: Get "https://${host}:10250/containerLogs/${namespace}/${pod}/${container}": net/http: TLS handshake timeout`);
  }
  const log = world.logs.get(`${namespace}/${pod}/${container}`);
  return (previous ? log?.before : log?.last)?.output ?? '';
}

/** kubectl without `--timeout` watches for ever, and a StatefulSet has no deadline that would end it: somebody has to. */
const LONGEST_WATCH_MS = 3_600_000;
const WATCHED_TOO_LONG = 'error: the rollout did not end within an hour, and this simulation watches no longer: give a --timeout\n';

/**
 * kubectl rollout status: one line for each write of the object, until it is rolled out, gone, or the time is up.
 * Virtual time passes meanwhile.
 * @recorded #rolling-update
 */
function watchRollout(world: World, command: RolloutStatusCommand, view: ClusterView): KubectlOutcome {
  const target = rolloutTarget(command, view);
  if (!('metadata' in target)) return target;
  const { kind } = target;
  const { namespace, name, uid } = target.metadata;
  const end = world.clock.now + (command.timeoutMs ?? LONGEST_WATCH_MS);
  let text = '';
  let seen = '';
  for (;;) {
    const object = world.api.get(kind, namespace, name) as Deployment | StatefulSet | undefined;
    if (object?.metadata.uid !== uid) return { code: 1, text: text + ROLLOUT_OBJECT_DELETED };
    if (object.metadata.resourceVersion !== seen) {
      seen = object.metadata.resourceVersion;
      const progress = rolloutStatusLine(object);
      if (progress.error !== undefined) return { code: 1, text: text + progress.error };
      text += progress.line;
      if (progress.done || !command.watch) return { code: 0, text };
    }
    const next = world.clock.nextAt();
    if (next === undefined || next > end) {
      world.clock.runUntil(end);
      return { code: 1, text: text + (command.timeoutMs === undefined ? WATCHED_TOO_LONG : ROLLOUT_TIMED_OUT) };
    }
    world.clock.runUntil(next);
  }
}
