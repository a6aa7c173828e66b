import { describe, expect, test } from 'vitest';
import { simulate } from '../../machines/index.ts';
import type { Step } from '../../machines/trace/scenario.ts';

const POD = (script: string, more = ''): string => `apiVersion: v1
kind: Pod
metadata: {name: first}
spec:
  terminationGracePeriodSeconds: 1
  nodeSelector: {kubernetes.io/hostname: ab-worker}
  ${more}
  containers:
  - {name: app, image: "busybox:1", command: [sh, -c, "${script}"]}
`;

/** What the commands of the steps print. */
function printed(...steps: readonly Step[]): string[] {
  const trace = simulate({ id: 'x', title: 'x', covers: [], namespace: 'shop', steps });
  return trace.records.flatMap((record) => (record.type === 'step' && record.verb === 'run' ? [String((record as { text?: string }).text)] : []));
}

describe('kubectl logs', () => {
  test('prints what the container has printed so far, on both its streams, and with --tail the end of it', () => {
    const pod = POD('echo one; echo two >&2; sleep 100');
    expect(printed({ apply: pod }, { settle: 5 }, { run: 'kubectl logs first' }, { run: 'kubectl logs first -c app --tail=1' })).toEqual(['one\ntwo\n', 'two\n']);
  });

  test('shows the last run, and with -p the one before it', () => {
    const pod = POD('echo run of $(date +%s); sleep 5; exit 1');
    const [last = '', before = ''] = printed({ apply: pod }, { settle: 9 }, { run: 'kubectl logs pod/first' }, { run: 'kubectl logs first -p' });
    expect(last).toMatch(/^run of \d+\n$/);
    expect(Number(last.slice(7)) - Number(before.slice(7))).toBe(6);
  });

  test('is refused where there is nothing to read', () => {
    const waiting = POD('true', 'volumes: [{name: s, secret: {secretName: none}}]').replace('"true"]}', '"true"], volumeMounts: [{name: s, mountPath: /s}]}');
    expect(printed({ apply: waiting }, { settle: 5 }, { run: 'kubectl logs first' }, { run: 'kubectl logs first -c other' }, { run: 'kubectl logs none' })).toEqual([
      'Error from server (BadRequest): container "app" in pod "first" is waiting to start: ContainerCreating\n',
      'Error from server (BadRequest): container other is not valid for pod first\n',
      'Error from server (NotFound): pods "none" not found\n',
    ]);
    expect(printed({ apply: POD('sleep 100') }, { settle: 5 }, { run: 'kubectl logs first -p' })).toEqual(['Error from server (BadRequest): previous terminated container "app" in pod "first" not found\n']);
  });

  test('of a pod without a node is empty, and no error', () => {
    expect(printed({ apply: POD('sleep 1').replace('ab-worker', 'nowhere') }, { settle: 1 }, { run: 'kubectl logs first' })).toEqual(['']);
  });

  test('begins anew with a new pod of the name', () => {
    const [text] = printed({ apply: POD('echo old; sleep 100') }, { settle: 5 }, { delete: { target: 'pod/first', wait: true } }, { apply: POD('sleep 100') }, { settle: 5 }, { run: 'kubectl logs first' });
    expect(text).toBe('');
  });
});
