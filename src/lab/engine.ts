/** The door to what is loaded at the first action only. */
import type * as chunk from './engine-chunk.ts';
import { load } from './load.ts';

export type Engine = typeof chunk;

let loading: Promise<Engine> | undefined;

/** Loads the simulated cluster once; a load that failed is tried again at the next call. */
export function loadEngine(): Promise<Engine> {
  loading ??= load(() => import('./engine-chunk.ts'), 'runWith').catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
