/** Which labs are needed as files: those that a talk shows or a workshop's task is done in. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workshops } from './workshops.ts';

const TALKS = join(process.cwd(), 'content/talks');

export async function fileScenarios(): Promise<string[]> {
  return [...new Set([...talkScenarios(), ...workshops().flatMap((workshop) => workshop.parts.flatMap((part) => (part.kind === 'task' ? [part.lab] : [])))])].sort();
}

/** The scenarios that the talks name in `lab="…"`. */
function talkScenarios(): string[] {
  return readdirSync(TALKS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mdx'))
    .flatMap((file) => [...readFileSync(join(TALKS, file), 'utf8').matchAll(/<Step\b[^>]*\blab="([a-z0-9-]+)"/g)].map((match) => match[1] ?? ''));
}
