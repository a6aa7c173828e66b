/** The door to what is loaded at the first action only. */
import type { Scenario } from '../../machines/trace/scenario.ts';
import type * as chunk from './engine-chunk.ts';
import { load } from './load.ts';

export type Engine = typeof chunk;

let loading: Promise<Engine> | undefined;

/** Loads the simulated cluster, and the kubectl commands that few scenarios hold where this one does. */
export async function loadEngine(scenario: Scenario): Promise<Engine> {
  const engine = await loadChunk();
  if (engine.needsSeldom(scenario)) engine.provideSeldom((await load(() => import('../../machines/run/seldom-commands.ts'), 'seldomCommands')).seldomCommands);
  return engine;
}

/** Once; a load that failed is tried again at the next call. */
function loadChunk(): Promise<Engine> {
  loading ??= load(() => import('./engine-chunk.ts'), 'runWith').catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
