import { describe, expect, it } from 'vitest';
import { runKubectl, viewOfObjects } from '../../machines/kubectl/index.ts';
import type { Node } from '../../machines/model/objects.ts';
import { answersTo, pod } from './kubectl-answers.ts';

const ON_WORKER = 'nodeName: ab-worker';

/** The lines from the one that begins with `title` up to the next that is not indented. */
function section(text: string, title: string): string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(title));
  const length = lines.slice(start + 1).findIndex((line) => !line.startsWith(' '));
  return lines.slice(start, start + 1 + length);
}

describe('kubectl describe node', () => {
  it('adds up what its pods ask for and may use, in shares of what can be allocated', () => {
    const [described] = answersTo(
      pod('first', { spec: ON_WORKER, resources: '{requests: {cpu: 250m, memory: 64Mi}, limits: {cpu: "3", memory: 12Gi}}' }),
      pod('second', { spec: ON_WORKER, resources: '{requests: {cpu: 250m, memory: 100M}}' }),
      { settle: 10 },
      'kubectl describe node ab-worker',
    );
    const text = described?.[1] ?? '';
    expect(section(text, 'Non-terminated Pods')).toEqual([
      'Non-terminated Pods:          (2 in total)',
      '  Namespace                   Name      CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age',
      '  ---------                   ----      ------------  ----------  ---------------  -------------  ---',
      '  ab-kubectl                  first     250m (12%)    3 (150%)    64Mi (0%)        12Gi (50%)     10s',
      '  ab-kubectl                  second    250m (12%)    0 (0%)      100M (0%)        0 (0%)         10s',
    ]);
    expect(section(text, 'Allocated resources')).toEqual([
      'Allocated resources:',
      '  (Total limits may be over 100 percent, i.e., overcommitted.)',
      '  Resource           Requests        Limits',
      '  --------           --------        ------',
      '  cpu                500m (25%)      3 (150%)',
      '  memory             167108864 (0%)  12Gi (50%)',
      '  ephemeral-storage  0 (0%)          0 (0%)',
    ]);
  });

  it('leaves out pods that have ended', () => {
    const [described] = answersTo(pod('done', { spec: `${ON_WORKER}, restartPolicy: Never` }).replace('sleep, "3600"', 'sh, -c, exit 0'), { settle: 20 }, 'kubectl describe node ab-worker');
    expect(described?.[1]).toContain('(0 in total)');
  });

  it('shows a node that stopped: its taints, its conditions, the last renewal of its lease, the event', () => {
    const [described] = answersTo({ node: { name: 'worker', action: 'pause' } }, { settle: 80 }, 'kubectl describe node ab-worker');
    const text = described?.[1] ?? '';
    expect(text).toContain('Taints:             node.kubernetes.io/unreachable:NoExecute\n                    node.kubernetes.io/unreachable:NoSchedule\nUnschedulable:      false\nLease:\n  HolderIdentity:  ab-worker\n  AcquireTime:     <unset>\n  RenewTime:       ');
    expect(section(text, 'Conditions').at(-1)).toMatch(/^ {2}Ready {12}Unknown {3}\w{3}, .* \+0000 {3}\w{3}, .* \+0000 {3}NodeStatusUnknown {3}Kubelet stopped posting node status\.$/);
    expect(text).toMatch(/Events:\n {2}Type .*\n {2}---- .*\n {2}Normal {2}NodeNotReady {2}\d+s {3}node-controller {2}Node ab-worker status is now: NodeNotReady\n$/);
  });

  it('prints what a node does not say as empty, and huge pages and devices where it has them', () => {
    const node = {
      apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', uid: 'u1', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', labels: { 'node-role.kubernetes.io/b': '', 'node-role.kubernetes.io/a': '' } },
      spec: { unschedulable: true, providerID: 'kind://n1', podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24', 'fd00::/64'], taints: [{ key: 'b', value: 'v', effect: 'NoSchedule' }, { key: 'a', effect: 'NoSchedule' }] },
      status: { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }], capacity: { cpu: '4', 'example.com/gpu': '2', 'hugepages-2Mi': '0', memory: '8Gi', pods: '10' } },
    } as unknown as Node;
    expect(runKubectl('kubectl describe node n1', viewOfObjects([node], { now: Date.parse('2026-01-02T00:00:00Z'), namespace: 'default' })).text.split('\n')).toEqual([
      'Name:               n1',
      'Roles:              a,b',
      'Labels:             node-role.kubernetes.io/a=',
      '                    node-role.kubernetes.io/b=',
      'Annotations:        <none>',
      'CreationTimestamp:  Thu, 01 Jan 2026 00:00:00 +0000',
      'Taints:             a:NoSchedule',
      '                    b=v:NoSchedule',
      'Unschedulable:      true',
      'Lease:              Failed to get lease: leases.coordination.k8s.io "n1" not found',
      'Addresses:',
      '  InternalIP:  10.0.0.1',
      'Capacity:',
      '  cpu:              4',
      '  example.com/gpu:  2',
      '  hugepages-2Mi:    0',
      '  memory:           8Gi',
      '  pods:             10',
      'System Info:',
      '  Machine ID:                 ',
      '  System UUID:                ',
      '  Boot ID:                    ',
      '  Kernel Version:             ',
      '  OS Image:                   ',
      '  Operating System:           ',
      '  Architecture:               ',
      '  Container Runtime Version:  ',
      '  Kubelet Version:            ',
      '  Kube-Proxy Version:         ',
      'PodCIDR:                      10.0.0.0/24',
      'PodCIDRs:                     10.0.0.0/24,fd00::/64',
      'ProviderID:                   kind://n1',
      'Non-terminated Pods:          (0 in total)',
      '  Namespace                   Name    CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age',
      '  ---------                   ----    ------------  ----------  ---------------  -------------  ---',
      'Allocated resources:',
      '  (Total limits may be over 100 percent, i.e., overcommitted.)',
      '  Resource           Requests  Limits',
      '  --------           --------  ------',
      '  cpu                0 (0%)    0 (0%)',
      '  memory             0 (0%)    0 (0%)',
      '  ephemeral-storage  0 (0%)    0 (0%)',
      '  hugepages-2Mi      0 (0%)    0 (0%)',
      '  example.com/gpu    0         0',
      'Events:              <none>',
      '',
    ]);
  });
});
