/** Turns zod's issues into problems of ours: one sentence each, with what was found. */
import type { z } from 'zod';
import type { FormatProblem } from './format-error.ts';
import { dotted, found, valueAt } from './format-error.ts';

/**
 * @param data the value that was checked
 * @param lineOf line of a path in the file, where known
 */
export function problemsOf(
  issues: readonly z.core.$ZodIssue[],
  data: unknown,
  lineOf: (path: readonly PropertyKey[]) => number | undefined,
): FormatProblem[] {
  return issues.flatMap(issue => problemOf(issue, data, lineOf));
}

function problemOf(
  issue: z.core.$ZodIssue,
  data: unknown,
  lineOf: (path: readonly PropertyKey[]) => number | undefined,
): FormatProblem[] {
  const at = (path: readonly PropertyKey[], message: string): FormatProblem => ({ path: dotted(path), line: lineOf(path), message });
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => at([...issue.path, key], `the format has no field "${key}" here`));
  }
  const value = found(valueAt(data, issue.path));
  if (issue.code === 'invalid_type') return [at(issue.path, `expected ${article(issue.expected)}, found ${value}`)];
  if (issue.code === 'invalid_value') {
    return [at(issue.path, `expected ${issue.values.map(v => JSON.stringify(v)).join(' or ')}, found ${value}`)];
  }
  return [at(issue.path, `${issue.message}, found ${value}`)];
}

function article(type: string): string {
  if (type === 'array') return 'a list';
  if (type === 'record') return 'an object';
  if (type === 'nonoptional') return 'a value';
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
