import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AttachedList } from '../../machines/controllers/kubelet/attached-list.ts';
import type { AttachedVolume } from '../../machines/model/objects.ts';

const listOf = (...names: string[]): readonly AttachedVolume[] => names.map((name) => ({ name, devicePath: '' }));

describe('what a kubelet hears of its node’s attached volumes', () => {
  test('is what a new list has more and what it has no more', () => {
    const list = new AttachedList(listOf('a', 'c'));
    expect(list.hear(listOf('a', 'b', 'c'))).toEqual({ gone: [], come: ['b'] });
    expect(list.hear(listOf('b', 'd'))).toEqual({ gone: ['a', 'c'], come: ['d'] });
    expect(list.hear(undefined)).toEqual({ gone: ['b', 'd'], come: [] });
  });

  test('is nothing when the same list comes again, or another with the same names', () => {
    const same = listOf('a', 'b');
    const list = new AttachedList(same);
    expect(list.hear(same)).toEqual({ gone: [], come: [] });
    expect(list.hear(listOf('b', 'a'))).toEqual({ gone: [], come: [] });
  });

  test('leaves it with the names of the last list, whatever lists came before and whichever entries they share', () => {
    const known = listOf('a', 'b', 'c', 'd', 'e', 'f');
    const lists = fc.array(fc.uniqueArray(fc.constantFrom(...known)));
    fc.assert(
      fc.property(lists, (heard) => {
        const list = new AttachedList();
        for (const each of heard) {
          const before = new Set(known.filter(({ name }) => list.has(name)));
          const { gone, come } = list.hear(each);
          expect(known.filter((entry) => list.has(entry.name))).toEqual(known.filter((entry) => each.includes(entry)));
          expect(come).toEqual(each.filter((entry) => !before.has(entry)).map(({ name }) => name));
          expect(gone.every((name) => !each.some((entry) => entry.name === name))).toBe(true);
        }
      }),
    );
  });
});
