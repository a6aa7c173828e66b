/** Reading and writing files for the commands; every error names the file and what to do. */
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An error whose message is all that the person needs; the commands print it without a stack. */
export class UserError extends Error {}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`cannot read ${named(file)}: ${reasonOf(error)}`, { cause: error });
  }
}

export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    // A file that is not there yet is no error; its folder is what is missing.
    const reason = codeOf(error) === 'ENOENT' && file !== '' ? `there is no folder ${dirname(file)}; make it first` : reasonOf(error);
    throw new UserError(`cannot write ${named(file)}: ${reason}`, { cause: error });
  }
}

/** All files with an extension under a folder, sorted; a file stands for itself. */
export function filesUnder(path: string, extension: string): string[] {
  let isFolder: boolean;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (error) {
    throw new UserError(`cannot read ${named(path)}: ${reasonOf(error)}`, { cause: error });
  }
  if (!isFolder) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(extension))
    .map(name => join(path, name))
    .sort();
}

/** A name as a message shows it: an empty one, from a variable that is not set, would leave a hole. */
function named(file: string): string {
  return file === '' ? '""' : file;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'no permission',
  EROFS: 'the disk takes no writes',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENAMETOOLONG: 'the name is too long',
};

/** Why a file could not be read or written, in plain words. */
export function reasonOf(error: unknown): string {
  const reason = REASONS[codeOf(error) ?? ''];
  if (reason !== undefined) return reason;
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
