/** What two runs never share in a command's output is masked, and nothing else. */
import { expect, it } from 'vitest';
import { Dropped } from '../../src/validator/ignored.ts';
import { namesOf } from '../../src/validator/names.ts';
import { outputLines } from '../../src/validator/output-lines.ts';
import { recordingsOf } from '../helpers/traces.ts';

const trace = recordingsOf('node-move')[0]?.trace ?? expect.fail('no recording');
const masked = (text: string): string[] => outputLines(text, 'exec', namesOf(trace), new Dropped());

it('the directory behind a Secret or ConfigMap is masked, and the length of the link to it', () => {
  const listing = (number: string, length: string): string => `lrwxrwxrwx    1 root     root            ${length} Jan  1 00:01 ..data -> ..2026_01_01_00_01_04.${number}\n`;
  expect(masked(listing('738068063', '31'))).toEqual(masked(listing('2403856780', '32')));
  expect(masked('lrwxrwxrwx    1 root     root            12 Jan  1 00:01 token -> ..data/token\n')[0]).toContain('12 <time> token');
});
