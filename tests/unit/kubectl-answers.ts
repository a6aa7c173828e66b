import { simulate } from '../../machines/index.ts';
import type { StepRecord, TraceRecord } from '../../machines/trace/format.ts';
import type { Step } from '../../machines/trace/scenario.ts';

const NAMESPACE = 'ab-kubectl';

/** The records of a run of these steps; a text is a kubectl command, or `apply` of a manifest where it is none. */
export function recordsOf(...steps: (Step | string)[]): readonly TraceRecord[] {
  const taken = steps.map((step): Step => (typeof step !== 'string' ? step : step.startsWith('kubectl ') ? { run: step } : { apply: step }));
  return simulate({ id: 'kubectl', title: 'kubectl', covers: [], namespace: NAMESPACE, steps: taken }).records;
}

/** What each kubectl command of the steps printed, with its exit code. */
export function answersTo(...steps: (Step | string)[]): [number, string][] {
  return runsOf(recordsOf(...steps)).map(({ code, text }) => [Number(code ?? -1), String(text)]);
}

/** The records of the kubectl commands. */
export function runsOf(records: readonly TraceRecord[]): StepRecord[] {
  return records.filter((record): record is StepRecord => record.type === 'step' && record.verb === 'run');
}

/** A claim of a class that binds at once, or of another one. */
export function claim(name: string, storageClassName = 'zonal-immediate'): string {
  return `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: ${name}}, spec: {storageClassName: ${storageClassName}, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}`;
}

export interface PodOptions {
  readonly claim?: string;
  readonly labels?: string;
  /** More fields of the pod's spec, in YAML's flow style. */
  readonly spec?: string;
  /** The container's `resources`, in YAML's flow style. */
  readonly resources?: string;
}

/** A pod that runs until it is told to go, and goes within a second. */
export function pod(name: string, options: PodOptions = {}): string {
  const mounts = options.claim === undefined ? '' : ', volumeMounts: [{name: data, mountPath: /data}]';
  const volumes = options.claim === undefined ? '' : `, volumes: [{name: data, persistentVolumeClaim: {claimName: ${options.claim}}}]`;
  const resources = options.resources === undefined ? '' : `, resources: ${options.resources}`;
  const more = options.spec === undefined ? '' : `${options.spec}, `;
  return `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, labels: {${options.labels ?? ''}}}, spec: {${more}terminationGracePeriodSeconds: 1, containers: [{name: main, image: "busybox:1.36", command: [sleep, "3600"]${resources}${mounts}}]${volumes}}}`;
}
