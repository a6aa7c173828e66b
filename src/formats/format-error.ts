/** A file that does not follow its format: says which file, where in it, what was expected and what stands there. */

export interface FormatProblem {
  /** Where in the file's data, e.g. `steps[2].wait.timeout`; empty for the file as a whole. */
  readonly path: string;
  /** Line in the file, counted from 1, where known. */
  readonly line?: number | undefined;
  /** One sentence: what was expected, what was found. */
  readonly message: string;
}

/** Thrown by `parseScenario` and `parseTrace`. The message lists at most ten problems, one a line. */
export class FormatError extends Error {
  readonly file: string;
  readonly problems: readonly FormatProblem[];

  constructor(file: string, what: string, problems: readonly FormatProblem[]) {
    super(`${file} is not a valid ${what}:\n${describe(file, problems)}`);
    this.name = 'FormatError';
    this.file = file;
    this.problems = problems;
  }
}

function describe(file: string, problems: readonly FormatProblem[]): string {
  const lines = problems.slice(0, 10).map(problem => {
    const where = problem.line === undefined ? file : `${file}:${problem.line}`;
    return `  ${where}: ${problem.path === '' ? '' : `at ${problem.path}: `}${problem.message}`;
  });
  if (problems.length > 10) lines.push(`  … and ${problems.length - 10} more`);
  return lines.join('\n');
}

/** `['steps', 2, 'wait']` as `steps[2].wait`. */
export function dotted(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : text === '' ? String(part) : `.${String(part)}`;
  return text;
}

/** The value at a path, or undefined. */
export function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const part of path) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** A short name of a value for an error text: `nothing`, `"abc"`, `a list`, `an object with a, b`. */
export function found(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') {
    const keys = Object.keys(value);
    return keys.length === 0 ? 'an empty object' : `an object with ${keys.slice(0, 4).join(', ')}`;
  }
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
