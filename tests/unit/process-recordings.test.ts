/**
 * What containers did in the recorded runs, done again by our processes: every exec of every run gives the same output
 * and code, and every container ends with the recorded exit code. The mounts are made from the recorded objects alone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ClusterView, ExecOutcome } from '../../machines/kubectl/index.ts';
import { execInPod, parseKubectl, runKubectl, viewOfObjects } from '../../machines/kubectl/index.ts';
import type { AnyObject, Container, ContainerStatus, PersistentVolume, Pod, Volume } from '../../machines/model/objects.ts';
import type { FileTree, ProjectedFile } from '../../machines/process/filesystem.ts';
import { applyFsGroup, createBlockVolume, createTree, projectFiles } from '../../machines/process/filesystem.ts';
import type { MountSource, MountSpec } from '../../machines/process/mounts.ts';
import { hostDirectory, tmpfs } from '../../machines/process/mounts.ts';
import type { ContainerProcess } from '../../machines/process/process.ts';
import { createContainerProcess } from '../../machines/process/process.ts';
import type { StepRecord, Trace, TraceRecord } from '../../machines/trace/format.ts';

const TRACES = new URL('../../content/traces/', import.meta.url);
const FILES = readdirSync(TRACES).flatMap((scenario) => readdirSync(new URL(`${scenario}/`, TRACES)).map((file) => `${scenario}/${file}`));

/** The directories of the recorded nodes' disk that hold the volumes of each driver. */
const DRIVER_DIRECTORIES: Readonly<Record<string, string>> = {
  'hostpath.csi.k8s.io': '/var/lib/docker/volumes/64c8b4c19e41a94a479192e087ebdccccf488cb86cbf6f210fbcc9dd5b53b957/_data/lib/csi-hostpath-data',
  'disk.csi.after-bound.dev': '/csi-shared/volumes',
};

interface BackingStore {
  readonly tree: FileTree;
  readonly source: MountSource;
}

/** The containers and volumes of a recorded run, brought from record to record. */
class Replay {
  readonly trace: Trace;
  readonly objects = new Map<string, AnyObject>();
  readonly processes = new Map<string, ContainerProcess>();
  /** Exit codes of ended containers: recorded and ours. */
  readonly endings: { readonly container: string; readonly recorded: number; readonly ours: number | undefined }[] = [];
  readonly #volumes = new Map<string, BackingStore>();
  readonly #secrets = new Map<string, Record<string, string>>();
  #nowMs = 0;

  constructor(trace: Trace) {
    this.trace = trace;
    for (const object of trace.stage) this.objects.set(key(object), object);
  }

  take(record: TraceRecord): void {
    this.#nowMs = Date.parse(this.trace.recordedAt) + record.t * 1000;
    for (const process of this.processes.values()) process.advance(this.#nowMs);
    if (record.type === 'step' && record.verb === 'apply') this.#rememberSecrets(String(record['manifest']));
    if (record.type !== 'watch') return;
    if (record.verb === 'DELETED') this.objects.delete(key(record.object));
    else this.objects.set(key(record.object), record.object);
    if (record.object.kind === 'PersistentVolume') this.#provideVolume(record.object, record.verb === 'DELETED');
    if (record.object.kind === 'Pod') this.#followPod(record.object);
  }

  view(): ClusterView {
    return viewOfObjects(this.objects.values(), {
      now: this.#nowMs,
      namespace: this.trace.scenario.namespace,
      exec: ({ pod, container, argv }) => this.#exec(pod, container, argv),
    });
  }

  #exec(pod: string, container: string, argv: readonly string[]): ExecOutcome {
    const status = this.#pod(pod)?.status.containerStatuses?.find((candidate) => candidate.name === container);
    const process = this.processes.get(status?.containerID ?? '');
    if (process === undefined) throw new Error(`no process for ${pod}/${container}`);
    return process.exec(argv, this.#nowMs);
  }

  #pod(name: string): Pod | undefined {
    const found = this.objects.get(`Pod/${this.trace.scenario.namespace}/${name}`);
    return found?.kind === 'Pod' ? found : undefined;
  }

  /** Traces leave Secret data out; the scenario's own manifests have it. */
  #rememberSecrets(manifest: string): void {
    for (const document of parseAllDocuments(manifest)) {
      const object = document.toJS() as { kind: string; metadata: { name: string }; stringData?: Record<string, string> };
      if (object.kind === 'Secret') this.#secrets.set(object.metadata.name, object.stringData ?? {});
    }
  }

  #provideVolume(volume: PersistentVolume, gone: boolean): void {
    const { name, creationTimestamp } = volume.metadata;
    if (gone) this.#volumes.delete(name);
    if (gone || this.#volumes.has(name)) return;
    const made = { mtimeMs: Date.parse(creationTimestamp) };
    const tree = volume.spec.volumeMode === 'Block' ? createBlockVolume(64 * 1024 * 1024, made) : createTree(made);
    const { csi, hostPath } = volume.spec;
    const directory = csi === undefined ? (hostPath?.path ?? '/') : `${DRIVER_DIRECTORIES[csi.driver] ?? ''}/${csi.volumeHandle}`;
    this.#volumes.set(name, { tree, source: hostDirectory(directory) });
  }

  #followPod(pod: Pod): void {
    for (const status of pod.status.containerStatuses ?? []) {
      const id = status.containerID ?? status.state.terminated?.containerID;
      const container = pod.spec.containers.find((candidate) => candidate.name === status.name);
      if (id === undefined || container === undefined) continue;
      if (!this.processes.has(id)) this.#start(pod, container, status, id);
      if (status.state.terminated !== undefined) this.#end(pod, status, id);
    }
    if (pod.metadata.deletionTimestamp === undefined) return;
    for (const status of pod.status.containerStatuses ?? []) this.processes.get(status.containerID ?? '')?.signal('TERM', this.#nowMs);
  }

  #start(pod: Pod, container: Container, status: ContainerStatus, id: string): void {
    const started = status.state.running?.startedAt ?? status.state.terminated?.startedAt;
    const security = pod.spec.securityContext ?? {};
    const volumes = new Map((pod.spec.volumes ?? []).map((volume) => [volume.name, volume]));
    const groups = [...(security.supplementalGroups ?? []), ...(security.fsGroup === undefined ? [] : [security.fsGroup])];
    const process = createContainerProcess({
      command: container.command,
      args: container.args,
      uid: security.runAsUser,
      gid: security.runAsGroup,
      groups,
      hostname: pod.metadata.name,
      mounts: (container.volumeMounts ?? []).flatMap((mount): MountSpec[] => {
        const store = this.#store(volumes.get(mount.name), security.fsGroup);
        return store === undefined ? [] : [{ mountPath: mount.mountPath, tree: store.tree, source: store.source, readOnly: store.readOnly || mount.readOnly === true }];
      }),
      devices: (container.volumeDevices ?? []).flatMap((device) => {
        const store = this.#store(volumes.get(device.name), undefined);
        return store === undefined ? [] : [{ devicePath: device.devicePath, tree: store.tree }];
      }),
    });
    process.start(started === undefined || started === null ? this.#nowMs : Date.parse(started));
    process.advance(this.#nowMs);
    this.processes.set(id, process);
  }

  #store(volume: Volume | undefined, fsGroup: number | undefined): (BackingStore & { readonly readOnly: boolean }) | undefined {
    if (volume?.persistentVolumeClaim !== undefined) {
      const claim = this.objects.get(`PersistentVolumeClaim/${this.trace.scenario.namespace}/${volume.persistentVolumeClaim.claimName}`);
      const store = claim?.kind === 'PersistentVolumeClaim' ? this.#volumes.get(claim.spec.volumeName ?? '') : undefined;
      if (store === undefined) throw new Error(`no volume behind ${volume.name}`);
      if (fsGroup !== undefined) applyFsGroup(store.tree, fsGroup);
      return { ...store, readOnly: volume.persistentVolumeClaim.readOnly === true };
    }
    if (volume?.secret !== undefined) return this.#projected(Object.entries(this.#secrets.get(volume.secret.secretName) ?? {}));
    if (volume?.configMap !== undefined) {
      const map = this.objects.get(`ConfigMap/${this.trace.scenario.namespace}/${volume.configMap.name}`);
      const data = map?.kind === 'ConfigMap' ? (map.data ?? {}) : {};
      const items = volume.configMap.items ?? Object.keys(data).map((name) => ({ key: name, path: name }));
      return this.#projected(items.map((item): [string, string] => [item.path, data[item.key] ?? '']));
    }
    return undefined;
  }

  #projected(entries: readonly (readonly [string, string])[]): BackingStore & { readonly readOnly: boolean } {
    const tree = createTree({ mode: 0o1777 });
    const files = new Map(entries.map(([path, content]): [string, ProjectedFile] => [path, { content, mode: 0o644 }]));
    projectFiles(tree, files, { nowMs: this.#nowMs, suffix: '1' });
    return { tree, source: tmpfs(2 ** 30), readOnly: true };
  }

  /** The kubelet sent KILL when the process outlived its grace. */
  #end(pod: Pod, status: ContainerStatus, id: string): void {
    const process = this.processes.get(id);
    const recorded = status.state.terminated;
    if (process === undefined || recorded === undefined) return;
    // Starts are recorded in whole seconds, so where the process stands in a `sleep 1` is known to a second only.
    if (pod.metadata.deletionTimestamp === undefined) process.advance(this.#nowMs + 1000);
    else process.signal('KILL', this.#nowMs);
    this.endings.push({ container: `${pod.metadata.name}/${status.name}`, recorded: recorded.exitCode, ours: process.exited?.code });
  }
}

function key(object: AnyObject): string {
  return `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

/** The kernel numbers mounts as they come: two runs of one pod differ in them. */
function withoutMountIds(text: string): string {
  return text.replace(/^\d+ \d+ (?=\d+:\d+ \/)/gm, 'ID PARENT ');
}

type ExecStep = StepRecord & { readonly pod: string; readonly sh: string; readonly stdout: string; readonly stderr: string; readonly code: number };
type RunStep = StepRecord & { readonly command: string; readonly text: string; readonly code: number };

interface Comparison {
  readonly what: string;
  readonly recorded: unknown;
  readonly ours: unknown;
}

function replayExecs(trace: Trace): Comparison[] {
  const replay = new Replay(trace);
  return trace.records.flatMap((record): Comparison[] => {
    replay.take(record);
    if (record.type !== 'step') return [];
    if (record.verb === 'exec') {
      const { pod, sh, stdout, stderr, code } = record as ExecStep;
      const ours = execInPod({ pod, container: record['container'] as string | undefined, argv: ['sh', '-c', sh] }, replay.view());
      return [{ what: `${pod}: ${sh}`, recorded: { stdout: withoutMountIds(stdout), stderr, code }, ours: { stdout: withoutMountIds(ours.stdout), stderr: ours.stderr, code: ours.code } }];
    }
    const { command, text, code } = record as RunStep;
    if (record.verb !== 'run' || parseKubectl(command).verb !== 'exec') return [];
    const ours = runKubectl(command, replay.view());
    return [{ what: command, recorded: { text: withoutMountIds(text), code }, ours: { text: withoutMountIds(ours.text), code: ours.code } }];
  });
}

describe('a command in a container prints what it printed in the recorded run', () => {
  for (const file of FILES) {
    const trace = JSON.parse(readFileSync(new URL(file, TRACES), 'utf8')) as Trace;
    const steps = trace.records.filter((record) => record.type === 'step' && (record.verb === 'exec' || (record.verb === 'run' && String(record['command']).startsWith('kubectl exec'))));
    if (steps.length === 0) continue;
    it(file, () => {
      const execs = replayExecs(trace);
      expect(execs).toHaveLength(steps.length);
      for (const { what, recorded, ours } of execs) expect(ours, what).toEqual(recorded);
    });
  }
});

describe('a container ends with the recorded exit code', () => {
  for (const file of FILES) {
    it(file, () => {
      const trace = JSON.parse(readFileSync(new URL(file, TRACES), 'utf8')) as Trace;
      const replay = new Replay(trace);
      for (const record of trace.records) {
        replay.take(record);
        if (record.type === 'step' && record.verb === 'exec') execInPod({ pod: String(record['pod']), argv: ['sh', '-c', String(record['sh'])] }, replay.view());
      }
      for (const ending of replay.endings) expect(ending.ours, ending.container).toBe(ending.recorded);
    });
  }
});
