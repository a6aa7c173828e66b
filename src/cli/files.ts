/** Reading and writing files for the commands; every error names the file and what to do. */
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An error whose message is all that the person needs; the commands print it without a stack. */
export class UserError extends Error {}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`cannot read ${file}: ${reasonOf(error)}`, { cause: error });
  }
}

export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UserError(`cannot write ${file}: ${reasonOf(error)}`, { cause: error });
  }
}

/** All files with an extension under a folder, sorted; a file stands for itself. */
export function filesUnder(path: string, extension: string): string[] {
  let isFolder: boolean;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (error) {
    throw new UserError(`cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
  if (!isFolder) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(extension))
    .map(name => join(path, name))
    .sort();
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES') return 'no permission';
  return error instanceof Error ? error.message : String(error);
}
