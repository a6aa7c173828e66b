import { describe, expect, it } from 'vitest';
import { parseKubectl } from '../../machines/kubectl/index.ts';
import { answersTo, claim, pod } from './kubectl-answers.ts';

const WEB = '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {terminationGracePeriodSeconds: 1, containers: [{name: main, image: "busybox:1.36", command: [sh, -c, "echo hello; sleep 3600"]}, {name: side, image: "busybox:1.36", command: [sh, -c, "echo aside; sleep 3600"]}]}}}}';
const EMPTY = WEB.replaceAll('web', 'none').replace('replicas: 2', 'replicas: 0');

function refused(command: string): string {
  const parsed = parseKubectl(command);
  return parsed.verb === 'refused' ? parsed.text : '';
}

describe('kubectl events', () => {
  it('lists what happened in the order of its last time, of one object or of a type', () => {
    const [all, about, none, everywhere] = answersTo(claim('stuck', 'nope'), pod('app'), { settle: 40 }, 'kubectl events', 'kubectl events --for pvc/stuck --no-headers', 'kubectl events --for pvc/other', 'kubectl events -A --types=warning');
    expect(all?.[1]).toMatch(/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/);
    expect(all?.[1]).toMatch(/\d+s +Normal +Scheduled +Pod\/app +Successfully assigned ab-kubectl\/app to /);
    expect(about?.[1]).toMatch(/^\d+s \(x\d over \d+s\) {3}Warning {3}ProvisioningFailed {3}PersistentVolumeClaim\/stuck {3}storageclass\.storage\.k8s\.io "nope" not found\n$/);
    expect(none).toEqual([0, 'No events found in ab-kubectl namespace.\n']);
    expect(everywhere?.[1]).toMatch(/^NAMESPACE +LAST SEEN .*\nab-kubectl +.* +Warning +ProvisioningFailed .*\n$/);
  });

  it('knows the mistakes', () => {
    expect(refused('kubectl events --for pod')).toBe('error: --for must be in resource/name form\n');
    expect(refused('kubectl events --types=Bad')).toBe('error: valid --types are Normal or Warning\n');
    expect(refused('kubectl events --watch')).toContain('is not modelled by this simulation');
  });
});

describe('kubectl exec and logs of a workload', () => {
  it('take one of its pods; logs say which', () => {
    const [said, chosen, all] = answersTo(WEB, { settle: 10 }, 'kubectl exec deploy/web -c main -- echo hi', 'kubectl logs deployment/web -c side', 'kubectl logs deployment/web --all-containers');
    expect(said).toEqual([0, 'hi\n']);
    expect(chosen?.[1]).toMatch(/^Found 2 pods, using pod\/web-\S+\naside\n$/);
    expect(all?.[1]).toMatch(/^Found 2 pods, using pod\/web-\S+\nhello\naside\n$/);
  });

  it('wait in vain for a pod of one that has none', () => {
    expect(answersTo(EMPTY, { settle: 2 }, 'kubectl exec deploy/none -- true', 'kubectl logs deploy/none', 'kubectl logs deploy/gone')).toEqual([
      [1, 'error: timed out waiting for the condition\n'],
      [1, 'error: timed out waiting for the condition\n'],
      [1, 'Error from server (NotFound): deployments.apps "gone" not found\n'],
    ]);
  });

  it('show the last ten lines of every pod that a selector keeps', () => {
    const talker = (name: string): string => pod(name, { labels: 'app: talk' }).replace('sleep, "3600"', `sh, -c, "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo ${name}-$i; done; sleep 3600"`);
    const [logs, nothing] = answersTo(talker('a'), talker('b'), { settle: 10 }, 'kubectl logs -l app=talk', 'kubectl logs -l app=silent');
    expect(logs?.[1].split('\n').filter((line) => line !== '')).toHaveLength(20);
    expect(logs?.[1]).toMatch(/^a-3\n/);
    expect(nothing).toEqual([0, 'No resources found in ab-kubectl namespace.\n']);
    expect(refused('kubectl logs web -l app=web')).toContain('error: only a selector (-l) or a POD name is allowed\n');
  });
});

describe('kubectl taint', () => {
  it('sets, overwrites and removes taints', () => {
    expect(
      answersTo('kubectl taint nodes ab-worker a=b:NoSchedule', 'kubectl taint nodes ab-worker a=c:NoSchedule', 'kubectl taint nodes ab-worker a=c:NoSchedule --overwrite', "kubectl get node ab-worker -o jsonpath='{.spec.taints}'", 'kubectl taint nodes ab-worker a:NoExecute-', 'kubectl taint nodes ab-worker a:NoSchedule- b:NoSchedule', 'kubectl taint nodes ab-worker b-', 'kubectl taint nodes ab-worker b-'),
    ).toEqual([
      [0, 'node/ab-worker tainted\n'],
      [1, 'error: node ab-worker already has a taint(s) with same effect(s) and --overwrite is false\n'],
      [0, 'node/ab-worker modified\n'],
      [0, '[{"effect":"NoSchedule","key":"a","value":"c"}]'],
      [1, 'error: taint "a:NoExecute" not found\n'],
      [0, 'node/ab-worker modified\n'],
      [0, 'node/ab-worker untainted\n'],
      [1, 'error: taint "b" not found\n'],
    ]);
  });

  it('knows the mistakes', () => {
    const help = "\nSee 'kubectl taint -h' for help and examples\n";
    expect(refused('kubectl taint nodes n a=b:Never')).toBe(`error: invalid taint effect: Never, unsupported taint effect${help}`);
    expect(refused('kubectl taint nodes n a:b:NoSchedule')).toBe(`error: invalid taint effect: b, unsupported taint effect${help}`);
    expect(refused('kubectl taint nodes n a=b')).toContain('error: invalid taint spec: a=b, name part must consist of alphanumeric characters');
    expect(refused('kubectl taint nodes n a:NoSchedule a:NoSchedule-')).toBe('error: can not both modify and remove the following taint(s) in the same command: {"a":"NoSchedule"}\n');
    expect(refused('kubectl taint pod n a:NoSchedule')).toBe('error: invalid resource type pod, only node types are supported\n');
    expect(refused('kubectl taint nodes n')).toBe('error: at least one taint update is required\n');
  });
});

describe('kubectl patch', () => {
  it('does the operations of a JSON patch, or none of them', () => {
    const show = "kubectl get pvc disk -o jsonpath='{.metadata.labels} {.metadata.annotations.note}'";
    const rejected = 'The request is invalid: the server rejected our request due to an error in our request\n';
    expect(
      answersTo(
        claim('disk', 'zonal-wait'), `kubectl patch pvc disk --type=json -p='[{"op":"add","path":"/metadata/labels","value":{"a/b":"1"}},{"op":"add","path":"/metadata/annotations/note","value":"x"}]'`, show,
        `kubectl patch pvc disk --type=json -p '[{"op":"replace","path":"/metadata/labels/a~1b","value":"2"},{"op":"test","path":"/metadata/labels/a~1b","value":"1"}]'`,
        `kubectl patch pvc disk --type=json -p '[{"op":"remove","path":"/metadata/labels/c"}]'`, `kubectl patch pvc disk --type=json -p '[{"op":"move","from":"/metadata/labels/a~1b","path":"/metadata/labels/c"}]'`, show,
      ),
    ).toEqual([[0, 'persistentvolumeclaim/disk patched\n'], [0, '{"a/b":"1"} x'], [1, rejected], [1, rejected], [0, 'persistentvolumeclaim/disk patched\n'], [0, '{"c":"1"} x']]);
  });

  it('frees an object of its finalizers, whichever way it is asked', () => {
    for (const patch of [`--type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'`, `-p '{"metadata":{"finalizers":null}}'`, `--type=merge -p '{"metadata":{"finalizers":[]}}'`, `--type=json -p '[{"op":"remove","path":"/metadata/finalizers/0"}]'`]) {
      const stuck = pod('stuck').replace('labels: {}', 'labels: {}, finalizers: [example.com/stay]');
      const answers = answersTo(stuck, { settle: 5 }, 'kubectl delete pod stuck --wait=false', { settle: 5 }, 'kubectl get pod stuck -o name', `kubectl patch pod stuck ${patch}`, { settle: 1 }, 'kubectl get pod stuck -o name');
      expect(answers.slice(1)).toEqual([[0, 'pod/stuck\n'], [0, 'pod/stuck patched\n'], [1, 'Error from server (NotFound): pods "stuck" not found\n']]);
    }
  });

  it('merges lists by their keys in a strategic patch', () => {
    const containers = "kubectl get deploy web -o jsonpath='{range .spec.template.spec.containers[*]}{.name} {.env[*].name};{end}'";
    const patch = (change: string): string => `kubectl patch deployment web -p '{"spec":{"template":{"spec":{"containers":[${change}]}}}}'`;
    const answers = answersTo(WEB, patch('{"name":"side","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]}'), containers, patch('{"name":"side","env":[{"name":"A","value":"3"}]},{"name":"third","image":"busybox:1.36"}'), containers, patch('{"name":"side","env":null}'), containers);
    expect(answers.filter((_, i) => i % 2 === 1).map(([, text]) => text)).toEqual(['main ;side A B;', 'main ;side A B;third ;', 'main ;side ;third ;']);
    expect(answers.filter((_, i) => i % 2 === 0).map(([, text]) => text)).toEqual(Array(3).fill('deployment.apps/web patched\n'));
  });

  it('knows the mistakes, and names what it does not do', () => {
    expect(refused(`kubectl patch pod a --type=json -p '{"op":"add"}'`)).toContain('is not modelled by this simulation');
    expect(refused(`kubectl patch pod a --type=json -p '[{"op":"move","path":"/metadata/labels/x","from":5}]'`)).toContain('is not modelled by this simulation');
    expect(refused(`kubectl patch pod a -p '{"spec":{"$patch":"replace"}}'`)).toContain('is not modelled by this simulation');
    expect(refused(`kubectl patch pod a --type=best -p '{}'`)).toBe('error: --type must be one of [json merge strategic], not "best"\n');
  });
});

describe('what kubectl can do and this simulation cannot', () => {
  it.each(['kubectl edit pvc disk', 'kubectl debug node/n -it --image=busybox', 'kubectl top nodes', 'kubectl get namespaces', 'kubectl get svc,ep', 'kubectl describe job x', 'kubectl get pods -w', 'kubectl logs -f app'])('%s is named', (command) => {
    expect(refused(command)).toContain('is not modelled by this simulation');
  });

  it('but a type that no API server has by itself is unknown', () => {
    expect(refused('kubectl get volumesnapshots')).toBe('error: the server doesn\'t have a resource type "volumesnapshots"\n');
  });
});

describe('kubectl set image and rollout', () => {
  const SET = '{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {serviceName: db, replicas: 1, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {terminationGracePeriodSeconds: 1, containers: [{name: main, image: "busybox:1.36", command: [sleep, "3600"]}]}}}}';
  const imageOf = (kind: string, name: string): string => `kubectl get ${kind} ${name} -o jsonpath='{.spec.template.spec.containers[*].image}'`;

  it('change the images, keep the history, and take the former template back', () => {
    const answers = answersTo(
      WEB, { settle: 10 }, 'kubectl rollout undo deployment/web', 'kubectl set image deployment/web main=busybox:1.35', 'kubectl set image deployment/web main=busybox:1.35', 'kubectl set image deployment/web other=busybox:1.35', { settle: 10 },
      'kubectl rollout history deployment/web', 'kubectl rollout undo deployment/web --to-revision=7', 'kubectl rollout undo deployment/web', { settle: 10 }, imageOf('deployment', 'web'), 'kubectl rollout history deployment/web', 'kubectl rollout undo deployment/web --to-revision=3',
    );
    expect(answers).toEqual([
      [1, 'error: no rollout history found for deployment "web"\n'],
      [0, 'deployment.apps/web image updated\n'],
      [0, ''],
      [1, 'error: unable to find container named "other"\n'],
      [0, 'deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n\n'],
      [1, 'error: unable to find specified revision 7 in history\n'],
      [0, 'deployment.apps/web rolled back\n'],
      [0, 'busybox:1.36 busybox:1.36'],
      [0, 'deployment.apps/web \nREVISION  CHANGE-CAUSE\n2         <none>\n3         <none>\n\n'],
      [0, 'deployment.apps/web skipped rollback (current template already matches revision 3)\n'],
    ]);
  });

  it('do the same for a StatefulSet', () => {
    expect(answersTo(SET, { settle: 10 }, "kubectl set image sts/db '*=busybox:1.35'", { settle: 10 }, 'kubectl rollout undo sts/db', { settle: 10 }, imageOf('sts', 'db'), 'kubectl rollout pause sts/db', 'kubectl rollout history pod/db-0')).toEqual([
      [0, 'statefulset.apps/db image updated\n'],
      [0, 'statefulset.apps/db rolled back\n'],
      [0, 'busybox:1.36'],
      [1, 'error: statefulsets.apps "db" pausing is not supported\n'],
      [1, 'error: no history viewer has been implemented for "Pod"\n'],
    ]);
  });

  it('hold a paused Deployment as it is', () => {
    const answers = answersTo(WEB, { settle: 10 }, 'kubectl rollout resume deploy web', 'kubectl rollout pause deploy web', 'kubectl rollout pause deploy web', 'kubectl set image deploy/web main=busybox:1.35', 'kubectl rollout undo deploy/web', { settle: 5 }, 'kubectl get rs -o name', 'kubectl rollout resume deploy web', { settle: 5 }, 'kubectl get rs -o name');
    expect(answers.map(([, text]) => text)).toEqual([
      'error: deployments.apps "web" is not paused\n',
      'deployment.apps/web paused\n',
      'error: deployments.apps "web" is already paused\n',
      'deployment.apps/web image updated\n',
      'error: no rollout history found for deployment "web"\n',
      expect.stringMatching(/^replicaset\.apps\/web-\S+\n$/),
      'deployment.apps/web resumed\n',
      expect.stringMatching(/^(replicaset\.apps\/web-\S+\n){2}$/),
    ]);
  });

  it('know the mistakes', () => {
    expect(refused('kubectl set image deployment/web')).toBe('error: at least one image update is required\n');
    expect(refused('kubectl set env deployment/web A=b')).toContain('is not modelled by this simulation');
    expect(refused('kubectl rollout undo')).toBe('error: required resource not specified\n');
  });
});
