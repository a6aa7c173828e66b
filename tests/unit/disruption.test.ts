import { describe, expect, it } from 'vitest';
import type { PodDisruptionBudget, PriorityClass } from '../../machines/model/objects.ts';
import type { Step } from '../../machines/trace/scenario.ts';
import { answersTo, pod, recordsOf } from './kubectl-answers.ts';
import { createPod, events, getPod, pass, startWithScheduler } from './scheduler-cluster.ts';

function budget(spec: string, selector = '{matchLabels: {app: web}}', name = 'web'): string {
  return `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: ${name}}, spec: {${spec}, selector: ${selector}}}`;
}
function web(replicas: number): string {
  return `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: ${replicas}, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {terminationGracePeriodSeconds: 1, containers: [{name: main, image: "busybox:1.36", command: [sleep, "3600"]}]}}}}`;
}
const STATUS = "kubectl get pdb web -o jsonpath='{.status.expectedPods} {.status.desiredHealthy} {.status.currentHealthy} {.status.disruptionsAllowed}'";

/** expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed. */
function statusAfter(...steps: (Step | string)[]): string {
  return answersTo(...steps, STATUS).at(-1)?.[1] ?? '';
}

describe('a PodDisruptionBudget', () => {
  it('allows nothing until its pods are ready, then what is more than the minimum', () => {
    expect(statusAfter(budget('minAvailable: 1'), web(3))).toBe('3 1 0 0');
    expect(statusAfter(budget('minAvailable: 1'), web(3), { settle: 10 })).toBe('3 1 3 2');
  });

  it('counts shares, and pods that may be away, from what the controllers want', () => {
    expect(statusAfter(budget('minAvailable: 50%'), web(3), { settle: 10 })).toBe('3 2 3 1');
    expect(statusAfter(budget('maxUnavailable: 1'), web(3), { settle: 10 })).toBe('3 2 3 1');
    expect(statusAfter(budget('maxUnavailable: 40%'), web(3), { settle: 10 })).toBe('3 1 3 2');
    expect(statusAfter(budget('maxUnavailable: 5'), web(3), { settle: 10 })).toBe('3 0 3 3');
    expect(statusAfter(web(3), { settle: 10 }, budget('maxUnavailable: 1'), { settle: 1 }, 'kubectl scale deployment web --replicas=1', { settle: 10 })).toBe('1 0 1 1');
  });

  it('cannot say how many pods without a controller there should be', () => {
    const lone = pod('lone', { labels: 'app: web' });
    expect(statusAfter(budget('minAvailable: 1'), lone, { settle: 10 })).toBe('1 1 1 0');
    expect(statusAfter(budget('maxUnavailable: 1'), lone, { settle: 10 })).toBe('0 0 1 0');
    const [described] = answersTo(budget('maxUnavailable: 1'), lone, { settle: 10 }, 'kubectl describe pdb web');
    expect(described?.[1]).toContain('Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged.');
  });

  it('allows nothing, and has not observed its spec, where a controller is not to be found; it is tried again', () => {
    const owned = '{apiVersion: v1, kind: Pod, metadata: {name: owned, labels: {app: web}, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: job, uid: 0b5c3a2e-5d0e-4b8f-9b1a-1f2e3d4c5b6a, controller: true}]}, spec: {containers: [{name: main, image: "busybox:1.36", command: [sleep, "3600"]}]}}';
    const [status, described] = answersTo(owned, budget('maxUnavailable: 1'), { settle: 10 }, "kubectl get pdb web -o jsonpath='{.status.disruptionsAllowed} {.status.observedGeneration} {.status.conditions[0].reason} {.status.conditions[0].message}'", 'kubectl describe pdb web');
    expect(status).toEqual([0, '0  SyncFailed found no controllers for pod "owned"']);
    expect(described?.[1]).toMatch(/CalculateExpectedPodCountFailed +\S+ \(x\d+ over \S+\) +controllermanager +Failed to calculate the number of expected pods: found no controllers for pod "owned"/);
  });

  it('guards every pod of its namespace with an empty selector, and none without one', () => {
    expect(statusAfter(budget('minAvailable: 1', '{}'), web(2), { settle: 10 })).toBe('2 1 2 1');
    expect(statusAfter(budget('minAvailable: 1').replace(', selector: {matchLabels: {app: web}}', ''), web(2), { settle: 10 })).toBe('0 1 0 0');
  });

  it('is shown with what it allows', () => {
    const [table, described] = answersTo(budget('maxUnavailable: 1'), web(2), { settle: 10 }, 'kubectl get pdb', 'kubectl describe pdb web');
    expect(table?.[1]).toBe('NAME   MIN AVAILABLE   MAX UNAVAILABLE   ALLOWED DISRUPTIONS   AGE\nweb    N/A             1                 1                     10s\n');
    expect(described?.[1].split('\nEvents:')[0]).toBe('Name:             web\nNamespace:        ab-kubectl\nMax unavailable:  1\nSelector:         app=web\nStatus:\n    Allowed disruptions:  1\n    Current:              2\n    Desired:              1\n    Total:                2');
    expect(described?.[1]).toMatch(/Normal {2}NoPods {2}.* controllermanager {2}No matching pods found\n$/);
  });

  it('is counted anew when its spec changes', () => {
    expect(statusAfter(budget('minAvailable: 1'), web(2), { settle: 10 }, `kubectl patch pdb web -p '{"spec":{"minAvailable":2}}'`, { settle: 1 })).toBe('2 2 2 0');
  });

  it('is refused where it says two things, or no number', () => {
    const refusal = (spec: string): string => recordsOf(budget(spec)).flatMap((record) => (record.type === 'output' ? [record.text] : []))[0] ?? '';
    expect(refusal('minAvailable: 1, maxUnavailable: 1')).toMatch(/^The PodDisruptionBudget "web" is invalid: spec: Invalid value: \{.*\}: minAvailable and maxUnavailable cannot be both set\n$/);
    expect(refusal('minAvailable: -1')).toBe('The PodDisruptionBudget "web" is invalid: spec.minAvailable: Invalid value: -1: must be greater than or equal to 0\n');
    expect(refusal('maxUnavailable: 101%')).toBe('The PodDisruptionBudget "web" is invalid: spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%\n');
    expect(refusal('maxUnavailable: half')).toContain(`spec.maxUnavailable: Invalid value: "half": a valid percent string must be a numeric string followed by an ending '%'`);
  });
});

describe('an eviction', () => {
  const SET = '{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {serviceName: db, replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {terminationGracePeriodSeconds: 1, nodeSelector: {kubernetes.io/hostname: ab-worker}, containers: [{name: main, image: "busybox:1.36", command: [sleep, "3600"]}]}}}}';
  const NEVER_READY = SET.replace('command: [sleep, "3600"]', 'command: [sh, -c, exit 1]');
  const drain = (...steps: string[]): string => answersTo(...steps, { settle: 10 }, 'kubectl drain ab-worker --timeout=3s').at(-1)?.[1] ?? '';

  it('is granted for what the budget allows', () => {
    expect(drain(budget('minAvailable: 0'), SET)).toContain('pod/db-0 evicted');
    expect(drain(budget('minAvailable: 1'), SET)).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
  });

  it('is never granted where two budgets select the pod', () => {
    expect(drain(budget('minAvailable: 0'), budget('minAvailable: 0', '{}', 'all'), SET)).toContain(
      'error when evicting pods/"db-0" -n "ab-kubectl": This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  });

  it('of a pod that is not ready needs enough others, or a budget that says so', () => {
    expect(drain(budget('minAvailable: 1'), NEVER_READY)).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
    expect(drain(budget('minAvailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow'), NEVER_READY)).toContain('pod/db-0 evicted');
  });

  it('of a pod that has ended asks no budget', () => {
    const ended = pod('ended', { labels: 'app: web', spec: 'nodeName: ab-worker, restartPolicy: Never' }).replace('sleep, "3600"', 'sh, -c, exit 0');
    expect(drain(budget('minAvailable: 1'), ended)).toContain('pod/ended evicted');
  });
});

describe('preemption', () => {
  const WHOLE = { containers: [{ name: 'app', image: 'busybox:1', resources: { requests: { cpu: '2' } } }] };
  const HALF = { containers: [{ name: 'app', image: 'busybox:1', resources: { requests: { cpu: '1' } } }] };
  const guard = (disruptionsAllowed: number): PodDisruptionBudget => ({
    apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'guard', namespace: 'test', uid: 'guard', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { selector: { matchLabels: { app: 'guarded' } }, minAvailable: 1 }, status: { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed, expectedPods: 1 },
  });
  const MEDIUM: PriorityClass = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'medium', uid: 'medium', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }, value: 1000 };
  const row = (name: string) => ({ name, drivers: [] });

  /** Which of the pods was told that it goes. */
  function victims(world: ReturnType<typeof startWithScheduler>, ...names: string[]): string[] {
    return names.filter((name) => getPod(world, name)?.metadata.deletionTimestamp !== undefined || events(world, name).some(({ reason }) => reason === 'Preempted'));
  }

  it('takes the node where no budget is violated, even where its victim matters more', () => {
    const world = startWithScheduler({ nodes: [row('one'), row('two')], objects: [guard(0), MEDIUM] });
    createPod(world, 'guarded', { ...WHOLE, nodeSelector: { 'kubernetes.io/hostname': 'one' } }, { app: 'guarded' });
    createPod(world, 'other', { ...WHOLE, nodeSelector: { 'kubernetes.io/hostname': 'two' }, priorityClassName: 'medium' }, { app: 'other' });
    pass(world, 1);
    createPod(world, 'important', { ...WHOLE, priorityClassName: 'system-cluster-critical' });
    pass(world, 1);
    expect(victims(world, 'guarded', 'other')).toEqual(['other']);
  });

  it('gives the guarded pod of a node back first', () => {
    const world = startWithScheduler({ nodes: [row('one')], objects: [guard(0)] });
    createPod(world, 'other', HALF, { app: 'other' });
    createPod(world, 'guarded', HALF, { app: 'guarded' });
    pass(world, 1);
    createPod(world, 'important', { ...HALF, priorityClassName: 'system-cluster-critical' });
    pass(world, 1);
    expect(victims(world, 'guarded', 'other')).toEqual(['other']);
  });

  it('violates a budget where nothing else helps', () => {
    const world = startWithScheduler({ nodes: [row('one')], objects: [guard(0)] });
    createPod(world, 'guarded', WHOLE, { app: 'guarded' });
    pass(world, 1);
    createPod(world, 'important', { ...WHOLE, priorityClassName: 'system-cluster-critical' });
    pass(world, 1);
    expect(victims(world, 'guarded')).toEqual(['guarded']);
  });
});
