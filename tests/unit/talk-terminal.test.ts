/** A terminal's words on the stage: tables as narrow as they can be, generated names cut, long answers in pages. */
import { describe, expect, test } from 'vitest';
import { baseRun, scenarioIds } from '../../src/site/runs.ts';
import { COLUMNS, narrowed, pagesOf, shortIds } from '../../src/talk/terminal.ts';

describe('a terminal’s words at stage size', () => {
  test('generated names are cut after what tells them apart', () => {
    expect(shortIds('pvc-1cf2992a-3009-4ec5-a805-089645650a8b is at csi-42e323da4f2c258c7787e8e98c97e731786de5c24ab5a0254320f51c245fffd5')).toBe('pvc-1cf2992a… is at csi-42e3…');
    expect(shortIds('web-cd4694866-abcde first 10Gi')).toBe('web-cd4694866-abcde first 10Gi');
  });

  test('a table is drawn together and keeps its columns', () => {
    const table = ['$ kubectl get pv', 'NAME                                       CAPACITY   STATUS', 'pvc-1cf2992a-3009-4ec5-a805-089645650a8b   128Mi      Bound'];
    expect(narrowed(table.join('\n'))).toBe(['$ kubectl get pv', 'NAME           CAPACITY  STATUS', 'pvc-1cf2992a…  128Mi     Bound'].join('\n'));
  });

  test('a table too wide for the stage leaves out the columns that say nothing, and marks them', () => {
    const head = ['NAME'.padEnd(42), 'ACCESS MODES'.padEnd(30), 'VOLUMEATTRIBUTESCLASS'.padEnd(24), 'REASON'.padEnd(10), 'AGE'].join('');
    const row = ['by-hand-and-very-long-name-of-a-volume'.padEnd(42), 'RWO,ROX,RWX,RWOP'.padEnd(30), '<unset>'.padEnd(24), ''.padEnd(10), '3s'].join('');
    const [shownHead, shownRow] = narrowed(`${head}\n${row}`).split('\n');
    expect(shownHead).toMatch(/^NAME +ACCESS MODES +… +AGE$/);
    expect(shownRow).toMatch(/^by-hand-and-very-long-name-of-a-volume +RWO,ROX,RWX,RWOP +3s$/);
  });

  test('a table wider still gives up the namespace, the second word of a head, then the age, and says so', () => {
    const head = 'NAME                                 CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS      CLAIM                   STORAGECLASS   VOLUMEATTRIBUTESCLASS   REASON   AGE';
    const row = 'persistentvolume/ab-by-hand-large    5Gi        RWO,ROX        Retain           Released    ab-static-volume/disk   by-hand        <unset>                          12s';
    expect(narrowed(`${head}\n${row}`).split('\n')).toEqual([
      'NAME                CAPACITY  ACCESS…  RECLAIM…  STATUS    CLAIM   STORAGECLASS  …',
      '…/ab-by-hand-large  5Gi       RWO,ROX  Retain    Released  …/disk  by-hand',
    ]);
  });

  test.each(scenarioIds())('every table that %s prints fits on the stage, but for a map in a column of its own', (id) => {
    const answers = baseRun(id).trace.records.flatMap((record) => (record.type === 'step' && /kubectl get/.test(String(record['command'])) ? [String(record['text'] ?? '')] : []));
    expect(answers.flatMap((answer) => narrowed(answer).split('\n')).filter((line) => line.length > COLUMNS && !/map\[|^ volume\./.test(line))).toEqual([]);
  });

  test('what is no table stays as it is', () => {
    const text = '$ kubectl describe pod first\nEvents:\n  Type    Reason\n  Normal  Scheduled';
    expect(narrowed(text)).toBe(text);
  });

  test('drawn together twice is drawn together once', () => {
    const table = 'NAME                  PV           \ncsi-x                 pvc-1cf2992a-3009-4ec5-a805-089645650a8b';
    expect(narrowed(narrowed(table))).toBe(narrowed(table));
  });

  test('a long answer comes in pages that hold every line once', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    const pages = pagesOf(lines.join('\n'), 13);
    expect(pages.every((page) => page.split('\n').length <= 13)).toBe(true);
    expect(pages.flatMap((page) => page.split('\n')).filter((line) => line !== '…')).toEqual(lines);
    expect(pagesOf('one\ntwo', 13)).toEqual(['one\ntwo']);
  });
});
