/** Rules of the simulated cluster that no recording covers: those whose comment in the code says `@modelled` and the source. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ModelledRule {
  /** The rule's own comment; empty where the name says it all. */
  readonly text: string;
  /** What it was written from: a section of the reference, or a Kubernetes file and version. */
  readonly source: string;
  /** The function or field behind the comment. */
  readonly name: string;
  /** `controllers/kubelet/payload.ts` */
  readonly file: string;
}

/** All of them, by file in the order of the code. */
export function modelledRules(root = join(process.cwd(), 'machines')): ModelledRule[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => rulesIn(readFileSync(join(root, file), 'utf8'), file));
}

/** The marked comments of one file's text, each with the name of what it stands before. */
export function rulesIn(code: string, file: string): ModelledRule[] {
  return [...code.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*?@modelled(?:(?!\*\/)[\s\S])*?)\*\/\s*([^\n]*)/g)].map(([, comment = '', declaration = '']) => {
    const flat = comment.replace(/^\s*\* ?/gm, '').replace(/\s+/g, ' ').trim();
    const [text = '', source = ''] = flat.split('@modelled');
    return { text: text.trim(), source: source.trim(), name: nameIn(declaration), file };
  });
}

function nameIn(declaration: string): string {
  const words = declaration.replace(/\b(?:export|default|async|function|const|let|class|interface|type|private|readonly|static)\b/g, ' ').trim();
  return /^['"#*\s]*([\w.$-]+)/.exec(words)?.[1] ?? '';
}
