/** A file that someone chose or dropped, read as progress. */
import { MOST_BYTES, readProgress, type ReadFile } from './progress.ts';

/** Never rejects: a folder, or a file that is gone by now, is a fault like any other. Large files are not read at all. */
export async function readFile(file: File, workshop: string): Promise<ReadFile> {
  if (file.size > MOST_BYTES) return { ok: false, fault: { what: 'size', bytes: file.size } };
  try {
    return readProgress(await file.text(), workshop);
  } catch {
    return { ok: false, fault: { what: 'unreadable' } };
  }
}
