import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SmallMap } from '../../machines/model/small-map.ts';
import { createTree, ProjectedTree, projectFiles, type ProjectedFile } from '../../machines/process/filesystem.ts';

const key = fc.integer({ min: 0, max: 20 }).map(String);
const step = fc.oneof(fc.record({ set: key, to: fc.integer() }), fc.record({ drop: key }));

describe('a small map', () => {
  it('holds what a Map holds, in the same order, with few entries and with many', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const small = new SmallMap<number>();
        const map = new Map<string, number>();
        for (const one of steps) {
          if ('set' in one) {
            small.set(one.set, one.to);
            map.set(one.set, one.to);
          } else expect(small.delete(one.drop)).toBe(map.delete(one.drop));
        }
        expect(small.size).toBe(map.size);
        expect(small.keys()).toEqual([...map.keys()]);
        expect(small.values()).toEqual([...map.values()]);
        for (let i = 0; i <= 20; i++) expect([small.has(String(i)), small.get(String(i))]).toEqual([map.has(String(i)), map.get(String(i))]);
      }),
      { seed: 20261201, numRuns: 300 },
    );
  });

  it('lets whoever goes over its entries finish with those that were there', () => {
    const small = new SmallMap<number>().set('a', 1).set('b', 2);
    const seen: number[] = [];
    for (const value of small.values()) {
      small.delete('a');
      small.set('c', 3);
      seen.push(value);
    }
    expect(seen).toEqual([1, 2]);
    expect(small.keys()).toEqual(['b', 'c']);
  });
});

const files = fc.dictionary(fc.constantFrom('token', 'ca.crt', 'a/b'), fc.constantFrom('one', 'two'), { noNullPrototype: true });

describe('a projected volume', () => {
  it('shows the same files whether they were written at once or when somebody looked', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ files, look: fc.boolean() }), { maxLength: 8 }), (writes) => {
        const lazy = new ProjectedTree({ mode: 0o777 });
        const eager = createTree({ mode: 0o777 });
        for (const [i, write] of writes.entries()) {
          const projected = new Map<string, ProjectedFile>(Object.entries(write.files).map(([path, content]) => [path, { content, mode: 0o644 }]));
          lazy.project(projected, { nowMs: i * 1000, suffix: i });
          projectFiles(eager, projected, { nowMs: i * 1000, suffix: i });
          if (write.look) expect(lazy.root).toEqual(eager.root);
        }
        expect(lazy.root).toEqual(eager.root);
      }),
      { seed: 20261201, numRuns: 300 },
    );
  });
});
