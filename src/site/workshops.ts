/** The workshops' paths, read when the site is built. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWorkshop } from '../workshop/format.ts';
import type { Workshop } from '../workshop/workshop.ts';

const FOLDER = join(process.cwd(), 'content/workshops');

let all: Workshop[] | undefined;

/** All workshops in their order. Throws with file and line where one is wrong. */
export function workshops(): Workshop[] {
  all ??= readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => parseWorkshop(readFileSync(join(FOLDER, file), 'utf8'), `content/workshops/${file}`))
    .sort((a, b) => a.order - b.order);
  return all;
}
