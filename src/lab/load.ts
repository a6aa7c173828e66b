/** Loading a part of the site on demand, so that a failure can be made good without a reload. */

const failed = new Map<string, number>();

/**
 * Loads a part. A browser may remember a module that could not be fetched as broken for as long as the page lives
 * (HTML, "fetch a single module script": the module map keeps the failure); its error names the file, which is then asked
 * for under an address of its own. Rejects with the first error if that fails too.
 *
 * @param name one of the part's exports: a bundle may hold a part as one of its own exports
 */
export async function load<T extends object>(part: () => Promise<T>, name: keyof T & string): Promise<T> {
  try {
    return await part();
  } catch (error) {
    const address = /https?:\/\/\S+\.js\b/.exec(error instanceof Error ? error.message : '')?.[0];
    if (address === undefined) throw error;
    const tries = failed.get(address) ?? 0;
    failed.set(address, tries + 1);
    // The first failure is the connection's own; only a later one may be a remembered one.
    if (tries === 0) throw error;
    const file = (await import(/* @vite-ignore */ `${address}?again=${tries}`).catch(() => ({}))) as object;
    const found = [file, ...(Object.values(file) as unknown[])].find((value) => typeof value === 'object' && value !== null && name in value);
    if (found === undefined) throw error;
    return found as T;
  }
}

/** Did a part fail to load, rather than fail in what it did? */
export function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|Failed to fetch|NetworkError|Importing a module|Load failed/.test(error.message);
}
