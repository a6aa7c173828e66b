/** The page "modelled, not recorded" lists what the code itself marks. */
import { expect, test } from 'vitest';
import { modelledRules, rulesIn } from '../../src/site/modelled.ts';

test('a marked comment gives its text, its source and the name behind it; an unmarked one gives nothing', () => {
  const code = `
/** Seen in every run. #immediate-happy */
export function seen(): void {}
/**
 * A volume that no recording shows,
 * over two lines. @modelled ref 7.2
 */
export function unseen(): void {}
class C {
  /** A field. @modelled pkg/x.go, v1.35 */
  private readonly field = 1;
}`;
  expect(rulesIn(code, 'x.ts')).toEqual([
    { text: 'A volume that no recording shows, over two lines.', source: 'ref 7.2', name: 'unseen', file: 'x.ts' },
    { text: 'A field.', source: 'pkg/x.go, v1.35', name: 'field', file: 'x.ts' },
  ]);
});

test('every rule that the code marks says what it is and names its source', () => {
  const rules = modelledRules();
  expect(rules.length).toBeGreaterThan(20);
  for (const rule of rules) expect([rule.file, rule.text !== '' || rule.name !== '', rule.source !== '']).toEqual([rule.file, true, true]);
});
