import { describe, expect, it } from 'vitest';
import { simulate } from '../../machines/index.ts';
import { parseKubectl } from '../../machines/kubectl/index.ts';
import type { StepRecord } from '../../machines/trace/format.ts';

const CLAIM = '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: disk}, spec: {storageClassName: zonal-wait, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}';
const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: main, image: "busybox:1.36", command: [sleep, "3600"]}]
`;

/** What each command printed, and its code. */
function answers(manifest: string, ...commands: string[]): [number, string][] {
  const steps = [{ apply: manifest }, { settle: 5 }, ...commands.map((run) => ({ run }))];
  const { records } = simulate({ id: 'changes', title: 'changes', covers: [], namespace: 'ab-changes', steps });
  return records.filter((record): record is StepRecord => record.type === 'step' && record.verb === 'run').map(({ code, text }) => [Number(code ?? -1), String(text)]);
}

describe('kubectl label and annotate', () => {
  it('set, refuse to overwrite, overwrite, remove', () => {
    expect(
      answers(CLAIM, 'kubectl label pvc disk a=b c=d', 'kubectl label pvc disk a=c', 'kubectl label pvc disk a=c --overwrite', 'kubectl label pvc/disk a- x-', 'kubectl label pvc disk c=d', 'kubectl annotate pvc disk a=b', 'kubectl annotate pvc disk a=c'),
    ).toEqual([
      [0, 'persistentvolumeclaim/disk labeled\n'],
      [1, "error: 'a' already has a value (b), and --overwrite is false\n"],
      [0, 'persistentvolumeclaim/disk labeled\n'],
      [0, 'label "x" not found.\npersistentvolumeclaim/disk unlabeled\n'],
      [0, 'persistentvolumeclaim/disk not labeled\n'],
      [0, 'persistentvolumeclaim/disk annotated\n'],
      [1, "error: --overwrite is false but found the following declared annotation(s): 'a' already has a value (b)\n"],
    ]);
  });
});

describe('kubectl cordon', () => {
  it('says when there is nothing to do, and does nothing when a node is missing', () => {
    expect(answers(CLAIM, 'kubectl cordon ab-worker', 'kubectl cordon ab-worker', 'kubectl uncordon ab-worker nope', 'kubectl uncordon ab-worker', 'kubectl uncordon ab-worker')).toEqual([
      [0, 'node/ab-worker cordoned\n'],
      [0, 'node/ab-worker already cordoned\n'],
      [1, 'Error from server (NotFound): nodes "nope" not found\n'],
      [0, 'node/ab-worker uncordoned\n'],
      [0, 'node/ab-worker already uncordoned\n'],
    ]);
  });
});

describe('kubectl scale and rollout restart', () => {
  it('change what has replicas and a template', () => {
    const [scaled, refused, flagless, restarted, pods] = answers(WEB, 'kubectl scale deployment/web --replicas=2', 'kubectl scale pod --all --replicas=2', 'kubectl scale deployment web', 'kubectl rollout restart deployment web', 'kubectl get pod -o name');
    expect(scaled).toEqual([0, 'deployment.apps/web scaled\n']);
    expect(refused?.[1]).toContain('Error from server (NotFound): the server could not find the requested resource\n');
    expect(flagless).toEqual([1, 'error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0\n']);
    expect(restarted).toEqual([0, 'deployment.apps/web restarted\n']);
    expect(pods?.[1].trim().split('\n').length).toBeGreaterThanOrEqual(3);
  });
});

describe('kubectl patch', () => {
  it('says whether it changed anything', () => {
    const merge = `kubectl patch pvc disk --type merge -p '{"metadata":{"labels":{"a":"b"}}}'`;
    expect(answers(CLAIM, merge, merge, `kubectl patch pvc nope -p '{}'`).map(([, text]) => text)).toEqual([
      'persistentvolumeclaim/disk patched\n',
      'persistentvolumeclaim/disk patched (no change)\n',
      'Error from server (NotFound): persistentvolumeclaims "nope" not found\n',
    ]);
  });
  it('adds to a list of plain values that is a set, and replaces it as a merge patch', () => {
    const finalizers = "kubectl get pvc disk -o jsonpath='{.metadata.finalizers}'";
    expect(answers(CLAIM, `kubectl patch pvc disk -p '{"metadata":{"finalizers":[]}}'`, `kubectl patch pvc disk -p '{"metadata":{"finalizers":["a/b"]}}'`, finalizers, `kubectl patch pvc disk --type=merge -p '{"metadata":{"finalizers":["c/d"]}}'`, finalizers).map(([, text]) => text)).toEqual([
      'persistentvolumeclaim/disk patched (no change)\n',
      'persistentvolumeclaim/disk patched\n',
      '["a/b","kubernetes.io/pvc-protection"]',
      'persistentvolumeclaim/disk patched\n',
      '["c/d","kubernetes.io/pvc-protection"]',
    ]);
  });
});

describe('kubectl delete', () => {
  it('names the namespace, waits until the object is gone, and goes on after a missing one', () => {
    expect(answers(CLAIM, 'kubectl delete pvc disk nope', 'kubectl get pvc disk', 'kubectl delete pvc -l a=b', 'kubectl delete pvc')).toEqual([
      [1, 'persistentvolumeclaim "disk" deleted from ab-changes namespace\nError from server (NotFound): persistentvolumeclaims "nope" not found\n'],
      [1, 'Error from server (NotFound): persistentvolumeclaims "disk" not found\n'],
      [0, 'No resources found\n'],
      [1, 'error: resource(s) were provided, but no name was specified\n'],
    ]);
  });
  it('by force warns first', () => {
    const [forced] = answers(WEB, 'kubectl delete pod -l app=web --force');
    expect(forced?.[1]).toMatch(/^Warning: Immediate deletion does not wait .*\npod "web-.*" force deleted from ab-changes namespace\n$/);
  });
  it('reads its flags as kubectl does', () => {
    expect(parseKubectl('kubectl delete pod first --grace-period=0 --wait=false')).toMatchObject({ change: { graceSeconds: 1, wait: false } });
    expect(parseKubectl('kubectl delete pod first --now')).toMatchObject({ change: { graceSeconds: 1, wait: true } });
    expect(parseKubectl('kubectl delete pod first --now --grace-period=3')).toMatchObject({ verb: 'refused' });
  });
});
