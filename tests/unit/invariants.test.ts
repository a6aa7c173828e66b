/** What must hold of any run, seen on records written by hand. */
import { expect, it } from 'vitest';
import type { TraceRecord } from '../../machines/trace/format.ts';
import { violationsOf } from '../../machines/trace/invariants.ts';

const RULE = 'no container before its volumes';
const pod = (verb: 'ADDED' | 'DELETED', uid: string, volume: string): TraceRecord =>
  ({ t: 1, type: 'watch', verb, object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'first', namespace: 'ns', uid, resourceVersion: '1' }, spec: { containers: [{ name: 'app' }], volumes: [{ name: volume }] }, status: { phase: 'Pending' } } }) as unknown as TraceRecord;
const published = (volume: string): TraceRecord => ({ t: 1, type: 'state', machine: 'kubelet-volume', key: `ns/first/${volume}`, event: 'PUBLISHED', from: 'publishing', to: 'published' });
const start: TraceRecord = { t: 1, type: 'state', machine: 'container', key: 'ns/first/app', event: 'START', from: 'creating', to: 'running' };
const broken = (...records: TraceRecord[]): string[] => violationsOf(records).filter(({ rule }) => rule === RULE).map(({ what }) => what);

it('a container that runs before a volume of its pod is published breaks the rule', () => {
  expect(broken(pod('ADDED', 'a', 'data'), start)).toEqual(['container app of ns/first runs without data']);
  expect(broken(pod('ADDED', 'a', 'data'), published('data'), start)).toEqual([]);
});

it('a pod deleted by force in the middle of its start may still start, also when another has its name; once, and only then', () => {
  const replaced = [pod('ADDED', 'a', 'data'), published('data'), pod('DELETED', 'a', 'data'), pod('ADDED', 'b', 'more')];
  expect(broken(...replaced, start)).toEqual([]);
  expect(broken(...replaced, start, start)).toEqual(['container app of ns/first runs without more']);
  const running = [pod('ADDED', 'a', 'data'), published('data'), start, pod('DELETED', 'a', 'data'), pod('ADDED', 'b', 'more')];
  expect(broken(...running, start)).toEqual(['container app of ns/first runs without more']);
});
