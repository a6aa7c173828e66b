/** Commands that would not end, or not in our time: the simulation says so instead of standing still. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../machines/index.ts';
import type { Step } from '../../machines/trace/scenario.ts';
import type { StepRecord } from '../../machines/trace/format.ts';

const pod = (command: string): Step => ({
  apply: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'first' }, spec: { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', command] }] } }),
});
const running: Step = { wait: { for: 'pod/first', path: 'status.phase', equals: 'Running', timeout: 30 } };

function last(...steps: Step[]): StepRecord {
  const trace = simulate({ id: 'limits', title: 'limits', covers: [], namespace: 'ab-limits', steps });
  const record = trace.records.findLast((r): r is StepRecord => r.type === 'step');
  if (record === undefined) throw new Error('the run has no step');
  return record;
}
const exec = (sh: string): StepRecord => last(pod('sleep 86400'), running, { exec: { pod: 'first', sh } });

describe('a command that does not end', () => {
  it.each(['while true; do :; done', 'while sleep 0; do :; done', 'while true; do sleep 0.001; done', 'while sleep 1; do :; done', 'sleep 100000000'])('%s is given up in exec', (sh) => {
    expect(exec(sh)).toMatchObject({ code: 127, stderr: expect.stringContaining('a command that does not end is not modelled by this simulation') as unknown });
  });
  it.each(['while true; do :; done', 'while sleep 0; do :; done'])('%s keeps a container running', (command) => {
    expect(last(pod(command), running, { settle: 20 }, { run: 'kubectl get pod first' })).toMatchObject({ code: 0, text: expect.stringContaining('Running') as unknown });
  });
});

describe('kubectl rollout status without a timeout', () => {
  it('of a StatefulSet that never gets ready ends after an hour', () => {
    const spec = { serviceName: 'web', selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 9999'], volumeMounts: [{ name: 'v', mountPath: '/v' }] }], volumes: [{ name: 'v', secret: { secretName: 'nowhere' } }] } } };
    const record = last({ apply: JSON.stringify({ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'web' }, spec }) }, { run: 'kubectl rollout status statefulset/web' });
    expect(record).toMatchObject({ code: 1, text: 'Waiting for 1 pods to be ready...\nerror: the rollout did not end within an hour, and this simulation watches no longer: give a --timeout\n' });
    expect(record.t).toBeGreaterThan(3600);
  });
});

describe('grep with a pattern whose tries would double with each character', () => {
  const text = `${'a'.repeat(60)}b`;
  it.each(["'^\\(a*\\)*$'", "-E '(a+)+$'", "-E '(a|aa)+$'", "-E '(a?){40}$'", "-E '((a*)b*)*$'"])('%s says that it is not modelled', (pattern) => {
    expect(exec(`echo ${text} | grep ${pattern}`)).toMatchObject({ code: 127, stderr: expect.stringContaining('not modelled by this simulation') as unknown });
  });
  it.each(["'a*b'", "-E '^(a)+b$'", "-E 'a{60}b'", "-E '(ab|c)?$'", "'[*+]*a'"])('%s is no such pattern', (pattern) => {
    expect(exec(`echo ${text} | grep -c ${pattern}`)).toMatchObject({ code: 0, stdout: '1\n' });
  });
});

describe('a shell pattern', () => {
  const matches = (text: string, pattern: string): unknown => exec(`case ${text} in ${pattern}) echo yes;; *) echo no;; esac`)['stdout'];
  it.each([
    ['abc', 'a*c', 'yes'], ['abc', 'a*b', 'no'], ['abcbc', 'a*bc', 'yes'], ['abc', '*', 'yes'], ["''", '*', 'yes'], ["''", '?', 'no'], ['abc', 'a?c', 'yes'], ['abc', '[a-c]*', 'yes'],
    ['abc', '[!a]*', 'no'], ['a*c', "'a*c'", 'yes'], ['abc', "'a*c'", 'no'], ['a]', '[]a]]', 'yes'], ['aXbXc', 'a*X*c', 'yes'], ['é', '?', 'yes'],
  ])('of %s by %s: %s', (text, pattern, answer) => {
    expect(matches(text, pattern)).toBe(`${answer}\n`);
  });
  it('with many stars costs no more than its length', () => {
    expect(matches('a'.repeat(200) + 'b', `${'*a'.repeat(30)}*c`)).toBe('no\n');
  });
});
