import { describe, expect, it } from 'vitest';
import { manifestDocuments, simulateReading } from '../../machines/index.ts';
import { isSeldom, parseKubectl } from '../../machines/kubectl/index.ts';
import { answersTo, claim, pod, recordsOf, runsOf } from './kubectl-answers.ts';

const BOUND = "--for=jsonpath='{.status.phase}'=Bound";

describe('kubectl wait', () => {
  it('lets time pass until each object meets the condition, and says so for each', () => {
    const records = recordsOf(claim('disk'), pod('app', { claim: 'disk', labels: 'app: web' }), `kubectl wait ${BOUND} pvc/disk`, 'kubectl wait --for=condition=ready pod -l app=web --timeout=1m', 'kubectl get pod app --no-headers');
    const [bound, ready, pods] = runsOf(records);
    expect([bound?.['text'], bound?.['code']]).toEqual(['persistentvolumeclaim/disk condition met\n', 0]);
    expect([ready?.['text'], ready?.['code']]).toEqual(['pod/app condition met\n', 0]);
    expect(pods?.['text']).toMatch(/1\/1 +Running/);
  });

  it('gives up when its time is up: one object with `error:`, several without', () => {
    expect(answersTo(claim('late', 'zonal-wait'), claim('later', 'zonal-wait'), claim('disk'), `kubectl wait ${BOUND} pvc/late --timeout=3s`, `kubectl wait ${BOUND} pvc --all --timeout=3s`, `kubectl wait ${BOUND} pvc/late --timeout=0`)).toEqual([
      [1, 'error: timed out waiting for the condition on persistentvolumeclaims/late\n'],
      [1, 'persistentvolumeclaim/disk condition met\ntimed out waiting for the condition on persistentvolumeclaims/late\ntimed out waiting for the condition on persistentvolumeclaims/later\n'],
      [1, 'error: condition not met for persistentvolumeclaims/late\n'],
    ]);
  });

  it('waits 30 s where no timeout is given, for all objects together', () => {
    const [run] = runsOf(recordsOf(claim('late', 'zonal-wait'), claim('later', 'zonal-wait'), `kubectl wait ${BOUND} pvc --all`));
    expect(run?.t).toBeGreaterThan(30);
    expect(run?.t).toBeLessThan(31);
  });

  it('waits for the end of objects, and is content when there are none', () => {
    expect(answersTo(pod('app'), { settle: 5 }, 'kubectl delete pod app --wait=false', 'kubectl wait --for=delete pod/app --timeout=100ms', 'kubectl wait --for=delete pod/app', 'kubectl wait --for=delete pod/app pod/other')).toEqual([
      [0, 'pod "app" deleted from ab-kubectl namespace\n'],
      [1, 'error: timed out waiting for the condition on pods/app\n'],
      [0, 'pod/app condition met\n'],
      [0, ''],
    ]);
  });

  it('waits for objects to be made', () => {
    const set = '{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {replicas: 2, serviceName: db, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: main, image: "busybox:1.36", command: [sleep, "3600"]}]}}}}';
    expect(answersTo(set, 'kubectl wait --for=create pod/db-1 --timeout=60s', 'kubectl wait --for=create pod/db-2 --timeout=2s', 'kubectl wait --for=create pod -l app=none')).toEqual([
      [0, 'pod/db-1 condition met\n'],
      [1, 'error: timed out waiting for the condition\n'],
      [1, 'error: no matching resources found\n'],
    ]);
  });

  it('does not wait for what is not there', () => {
    expect(answersTo('kubectl wait --for=condition=Ready pod/app', 'kubectl wait --for=condition=Ready pod --all')).toEqual([
      [1, 'Error from server (NotFound): pods "app" not found\n'],
      [1, 'error: no matching resources found\n'],
    ]);
  });

  it('ignores a condition of an older generation', () => {
    const web = '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: "busybox:1.36", command: [sleep, "3600"]}]}}}}';
    const [available, scaled, again] = answersTo(web, 'kubectl wait --for=condition=Available deployment/web', 'kubectl scale deployment web --replicas=2', 'kubectl wait --for=condition=available=true deployment/web --timeout=20s');
    expect(available).toEqual([0, 'deployment.apps/web condition met\n']);
    expect(scaled?.[0]).toBe(0);
    expect(again).toEqual([0, 'deployment.apps/web condition met\n']);
  });

  it('knows the mistakes', () => {
    const refused = (command: string): string => {
      const parsed = parseKubectl(command);
      return parsed.verb === 'refused' ? parsed.text : '';
    };
    expect(refused('kubectl wait pod/app')).toBe('error: unrecognized condition: ""\n');
    expect(refused('kubectl wait --for=ready pod/app')).toBe('error: unrecognized condition: "ready"\n');
    expect(refused('kubectl wait --for=delete pod')).toBe('error: resource(s) were provided, but no name was specified\n');
    expect(refused('kubectl wait --for=delete pod/app --timeout=5')).toBe('error: invalid argument "5" for "--timeout" flag: time: missing unit in duration "5"\n');
    expect(refused("kubectl wait --for=jsonpath='{.a}'=b=c pod/app")).toContain('error: jsonpath wait format must be ');
    expect(refused("kubectl wait --for=jsonpath='{.a}'= pod/app")).toContain('error: jsonpath wait has to have a value after equal sign');
    expect(refused("kubectl wait --for=jsonpath='{.a}{.b}' pod/app")).toContain('error: unexpected path string');
    expect(refused('kubectl wait --for=delete pod/app --timeout=999999h')).toContain('A --timeout of 999999h, longer than 24h, is not modelled by this simulation');
    expect(answersTo(claim('disk'), "kubectl wait --for=jsonpath='{.status}'=x pvc/disk", "kubectl wait --for=jsonpath='{.spec.accessModes[*]}' pvc/disk")).toEqual([
      [1, 'error: jsonpath leads to a nested object or list which is not supported\n'],
      [0, 'persistentvolumeclaim/disk condition met\n'],
    ]);
  });
});

describe('a selector that is none', () => {
  it.each(['wait --for=delete pod', 'delete pod', 'label pod a=b', 'rollout pause deployment', 'taint nodes a=b:NoSchedule'])('is what kubectl %s answers with, and the run goes on', (command) => {
    const [mistaken, next] = answersTo(pod('app'), `kubectl ${command} -l 'a in ('`, 'kubectl get pod --no-headers');
    expect(mistaken).toEqual([1, 'Error from server (BadRequest): unable to parse requirement: "a in (" is no label selector\n']);
    expect(next?.[1]).toContain('app');
  });
});

describe('the seldom commands of kubectl', () => {
  const run = (line: string): unknown => simulateReading((manifest, fill) => manifestDocuments(fill(manifest)), { id: 'x', title: 'x', covers: [], namespace: 'x', steps: [{ run: line }] });

  it.each(['kubectl wait --for=delete pod/x', 'kubectl drain ab-worker', 'kubectl events', 'kubectl taint nodes ab-worker a:NoSchedule', 'kubectl describe node ab-worker', 'kubectl describe nodes', 'kubectl describe no/ab-worker', 'kubectl rollout undo deployment/web', 'kubectl set image pod/x a=b'])('%s is missed where they are left out, and never answered wrongly', (line) => {
    expect(isSeldom(line)).toBe(true);
    expect(() => run(line)).toThrow('is not loaded');
  });

  it('are not needed for the others', () => {
    expect(isSeldom('kubectl describe pod app')).toBe(false);
    expect(() => run('kubectl get pods')).not.toThrow();
  });
});
