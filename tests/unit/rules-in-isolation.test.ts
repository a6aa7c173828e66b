/** Rules that a run seldom shows alone. */
import { describe, expect, it } from 'vitest';
import { podsToDelete } from '../../machines/controllers/workloads/pods-to-delete.ts';
import { Clock } from '../../machines/kernel/clock.ts';
import { PendingOperations } from '../../machines/kernel/pending-operations.ts';
import type { Pod } from '../../machines/model/objects.ts';
import { startCluster } from '../../machines/run/simulate.ts';

describe('the back-off of operations on one volume', () => {
  it('doubles from half a second with each failure of one kind, and begins anew with an operation of another', () => {
    const clock = new Clock();
    const operations = new PendingOperations(clock);
    const key = { volume: 'disk', node: 'node-1' };
    const failAgain = (name: string): number => {
      expect(operations.start(key, name)).toEqual({ started: true });
      return operations.fail(key) - clock.now - 1;
    };
    expect(failAgain('attach')).toBe(500);
    clock.runUntil(clock.now + 501);
    expect(failAgain('attach')).toBe(1000);
    expect(operations.start(key, 'attach')).toMatchObject({ started: false });
    expect(failAgain('detach')).toBe(500);
  });
});

describe('a ReplicaSet that gives up a pod', () => {
  const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString().replace('.000', '');
  const pod = (name: string, phase: 'Pending' | 'Running', created: number, node: string | null = 'node-1'): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1', creationTimestamp: at(created) },
    spec: { containers: [], ...(node === null ? {} : { nodeName: node }) },
    status: { phase },
  });
  const first = (...pods: Pod[]): string | undefined => podsToDelete(startCluster().api, pods, 1)[0]?.metadata.name;

  it('takes one without node before one that has one', () => {
    expect(first(pod('placed', 'Pending', 9), pod('free', 'Pending', 1, null))).toBe('free');
  });
  it('takes a pending one before a running one, though it is older', () => {
    expect(first(pod('runs', 'Running', 9), pod('waits', 'Pending', 1))).toBe('waits');
  });
  it('takes the younger of two that are alike, if it is by far the younger', () => {
    expect(first(pod('old', 'Running', 1), pod('young', 'Running', 50))).toBe('young');
  });
  it('takes any of two that are about as old: the smaller uid, which is chance', () => {
    expect(first(pod('b', 'Running', 1), pod('a', 'Running', 9))).toBe('a');
    expect(first(pod('b', 'Running', 9), pod('a', 'Running', 1))).toBe('a');
  });
});
