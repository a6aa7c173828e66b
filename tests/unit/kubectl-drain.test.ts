import { describe, expect, it } from 'vitest';
import { parseKubectl } from '../../machines/kubectl/index.ts';
import { answersTo, claim, pod, recordsOf, runsOf } from './kubectl-answers.ts';

const ON_WORKER = 'nodeName: ab-worker';

/** A Deployment on ab-worker and ab-worker2; more of its pods' spec in YAML's flow style. */
function web(replicas: number, more = ''): string {
  return `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: ${replicas}, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {${more}terminationGracePeriodSeconds: 1, nodeSelector: {topology.kubernetes.io/zone: zone-a}, containers: [{name: main, image: "busybox:1.36", command: [sleep, "3600"]}]}}}}`;
}
const LONE_SET = '{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {serviceName: db, replicas: 1, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {terminationGracePeriodSeconds: 1, nodeSelector: {kubernetes.io/hostname: ab-worker}, containers: [{name: main, image: "busybox:1.36", command: [sleep, "3600"]}]}}}}';

function budget(spec: string): string {
  return `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: db}, spec: {${spec}, selector: {matchLabels: {app: db}}}}`;
}

describe('a grace period beyond all times', () => {
  it('ends with the last year that a time can name', () => {
    const patient = pod('app').replace('terminationGracePeriodSeconds: 1', 'terminationGracePeriodSeconds: 99999999999999');
    expect(answersTo(patient, { settle: 5 }, 'kubectl delete pod app --wait=false', "kubectl get pod app -o jsonpath='{.metadata.deletionTimestamp}'").at(-1)).toEqual([0, '9999-12-31T23:59:59Z']);
  });
});

describe('kubectl drain', () => {
  it('cordons the node, evicts its pods and waits until they are gone', () => {
    const [drained, pods] = answersTo(LONE_SET, { settle: 10 }, 'kubectl drain ab-worker', 'kubectl get pod -o wide --no-headers');
    expect(drained).toEqual([0, 'node/ab-worker cordoned\nevicting pod ab-kubectl/db-0\npod/db-0 evicted\nnode/ab-worker drained\n']);
    expect(pods?.[1]).toMatch(/db-0 +0\/1 +Pending/);
  });

  it('names the pods that it will not take away, by reason, and drains the other nodes', () => {
    expect(
      answersTo(pod('lone', { spec: ON_WORKER }), pod('other', { spec: ON_WORKER }), pod('scratch', { spec: `${ON_WORKER}, volumes: [{name: tmp, emptyDir: {}}]` }), { settle: 5 }, 'kubectl drain ab-worker', 'kubectl drain ab-worker ab-worker2', 'kubectl drain ab-worker --force --pod-selector app=none'),
    ).toEqual([
      [
        1,
        'node/ab-worker cordoned\nerror: unable to drain node "ab-worker" due to error: [cannot delete Pods that declare no controller (use --force to override): ab-kubectl/lone, ab-kubectl/other, cannot delete Pods with local storage (use --delete-emptydir-data to override): ab-kubectl/scratch], continuing command...\n' +
          'There are pending nodes to be drained:\n ab-worker\ncannot delete Pods that declare no controller (use --force to override): ab-kubectl/lone, ab-kubectl/other\ncannot delete Pods with local storage (use --delete-emptydir-data to override): ab-kubectl/scratch\n',
      ],
      [
        1,
        'node/ab-worker already cordoned\nnode/ab-worker2 cordoned\nerror: unable to drain node "ab-worker" due to error: [cannot delete Pods that declare no controller (use --force to override): ab-kubectl/lone, ab-kubectl/other, cannot delete Pods with local storage (use --delete-emptydir-data to override): ab-kubectl/scratch], continuing command...\nnode/ab-worker2 drained\n' +
          'There are pending nodes to be drained:\n ab-worker\ncannot delete Pods that declare no controller (use --force to override): ab-kubectl/lone, ab-kubectl/other\ncannot delete Pods with local storage (use --delete-emptydir-data to override): ab-kubectl/scratch\n',
      ],
      [0, 'node/ab-worker already cordoned\nnode/ab-worker drained\n'],
    ]);
  });

  it('takes pods without a controller away with --force, and says so', () => {
    expect(answersTo(pod('lone', { spec: ON_WORKER }), { settle: 5 }, 'kubectl drain ab-worker --force --ignore-daemonsets')).toEqual([
      [0, 'node/ab-worker cordoned\nWarning: deleting Pods that declare no controller: ab-kubectl/lone\nevicting pod ab-kubectl/lone\npod/lone evicted\nnode/ab-worker drained\n'],
    ]);
  });

  it('tries again every 5 s while a budget forbids an eviction, until its time is up', () => {
    const refused = 'error when evicting pods/"db-0" -n "ab-kubectl" (will retry after 5s): Cannot evict pod as it would violate the pod\'s disruption budget.\n';
    const [run] = runsOf(recordsOf(budget('minAvailable: 1'), LONE_SET, { settle: 10 }, 'kubectl drain ab-worker --timeout=8s'));
    expect(run?.['text']).toBe(
      `node/ab-worker cordoned\nevicting pod ab-kubectl/db-0\n${refused}evicting pod ab-kubectl/db-0\n${refused}evicting pod ab-kubectl/db-0\n` +
        'There are pending pods in node "ab-worker" when an error occurred: error when evicting pods/"db-0" -n "ab-kubectl": global timeout reached: 8s\npod/db-0\n' +
        'error: unable to drain node "ab-worker" due to error: error when evicting pods/"db-0" -n "ab-kubectl": global timeout reached: 8s, continuing command...\n' +
        'There are pending nodes to be drained:\n ab-worker\nerror when evicting pods/"db-0" -n "ab-kubectl": global timeout reached: 8s\n',
    );
    expect(run?.['code']).toBe(1);
    expect(run?.t).toBeGreaterThan(20);
    expect(run?.t).toBeLessThan(21);
  });

  it('goes on with an eviction as soon as another pod is ready elsewhere', () => {
    const guarded = budget('minAvailable: 1').replaceAll('app: db', 'app: web');
    const [, drained] = answersTo(guarded, web(2), { settle: 10 }, 'kubectl cordon ab-worker3', 'kubectl drain ab-worker ab-worker2 --timeout=20s');
    const text = drained?.[1] ?? '';
    expect(text.match(/pod\/web-\S+ evicted/g)).toHaveLength(1);
    expect(text).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
  });

  it('deletes instead of evicting with --disable-eviction, and no budget stops it', () => {
    expect(answersTo(budget('maxUnavailable: 0'), LONE_SET, { settle: 10 }, 'kubectl drain ab-worker --disable-eviction --timeout=30s')).toEqual([[0, 'node/ab-worker cordoned\npod/db-0 deleted\nnode/ab-worker drained\n']]);
  });

  it('gives up on a pod that does not go', () => {
    const stuck = pod('stuck', { spec: ON_WORKER }).replace('labels: {}', 'labels: {}, finalizers: [example.com/stay]');
    const [drained, deleted] = answersTo(stuck, { settle: 5 }, 'kubectl drain ab-worker --force --timeout=3s', 'kubectl drain ab-worker --force --timeout=2s --disable-eviction', 'kubectl patch pod stuck -p \'{"metadata":{"finalizers":null}}\'');
    expect(drained?.[1]).toContain('There are pending pods in node "ab-worker" when an error occurred: error when waiting for pod "stuck" in namespace "ab-kubectl" to terminate: global timeout reached: 3s\npod/stuck\n');
    expect(deleted?.[1]).toContain('due to error: timed out waiting for the condition, continuing command...\nThere are pending nodes to be drained:\n ab-worker\nerror: timed out waiting for the condition\n');
  });

  it('says of an evicted pod why it goes', () => {
    const records = recordsOf(LONE_SET, { settle: 10 }, 'kubectl drain ab-worker');
    const marked = records.find((record) => record.type === 'watch' && record.object.kind === 'Pod' && record.object.status.conditions?.some(({ type }) => type === 'DisruptionTarget') === true);
    expect(marked).toMatchObject({ object: { status: { conditions: expect.arrayContaining([expect.objectContaining({ message: 'Eviction API: evicting', reason: 'EvictionByEvictionAPI', status: 'True', type: 'DisruptionTarget' })]) as unknown } } });
  });

  it('lets a volume follow its pod to another node', () => {
    const attachment = "kubectl get volumeattachment -o jsonpath='{range .items[*]}{.spec.nodeName} {.status.attached}{end}'";
    const app = [claim('disk'), web(1, 'volumes: [{name: data, persistentVolumeClaim: {claimName: disk}}], '), { settle: 25 }, attachment];
    const [before] = answersTo(...app);
    expect(before?.[1]).toMatch(/^ab-worker2? true$/);
    const first = before?.[1].split(' ')[0] ?? '';
    const other = first === 'ab-worker' ? 'ab-worker2' : 'ab-worker';
    const [, drained, ready, moved] = answersTo(...app, `kubectl drain ${first} --timeout=60s`, 'kubectl wait --for=condition=Available deployment/web --timeout=60s', attachment);
    expect(drained?.[1]).toContain(`node/${first} drained`);
    expect(ready).toEqual([0, 'deployment.apps/web condition met\n']);
    expect(moved).toEqual([0, `${other} true`]);
  });

  it('knows the mistakes', () => {
    const refused = (command: string): string => {
      const parsed = parseKubectl(command);
      return parsed.verb === 'refused' ? parsed.text : '';
    };
    expect(refused('kubectl drain')).toBe("error: USAGE: drain NODE [flags]\nSee 'kubectl drain -h' for help and examples\n");
    expect(refused('kubectl drain n1 -l a=b')).toBe("error: cannot specify both a node name and a --selector option\nSee 'kubectl drain -h' for help and examples\n");
    expect(refused('kubectl drain n1 --dry-run=client')).toContain('is not modelled by this simulation');
    expect(answersTo("kubectl drain ab-worker --pod-selector='(('", 'kubectl get node ab-worker --no-headers')).toEqual([[1, 'Error from server (BadRequest): unable to parse requirement: "((" is no label selector\n'], [0, expect.not.stringContaining('SchedulingDisabled')]]);
    for (const command of ['kubectl drain n1', 'kubectl delete pod app']) {
      expect(refused(`${command} --grace-period=soon`)).toBe('error: invalid argument "soon" for "--grace-period" flag: strconv.ParseInt: parsing "soon": invalid syntax\n');
      expect(refused(`${command} --grace-period=9999999999999`)).toContain('is not modelled by this simulation');
    }
    expect(answersTo('kubectl drain nope')).toEqual([[1, 'Error from server (NotFound): nodes "nope" not found\n']]);
  });
});
