/** The runs that a talk shows: made once for each scenario and its changes, and kept. */
import type { LabData, LabPaths } from '../lab/data.ts';
import type { LabState } from '../lab/state.ts';
import { baseOf, runOf, type Run } from '../lab/use-run.ts';

export interface LabSource {
  readonly data: LabData;
  readonly paths: LabPaths;
}

export interface Shown extends LabSource {
  readonly run: Run;
}

export interface Runs {
  /** The run for a state. Rejects where the lab cannot be had or the change makes no sense; asked again, it tries again. */
  readonly get: (state: LabState) => Promise<Shown>;
  /** The same if it is there already. */
  readonly peek: (state: LabState) => Shown | undefined;
}

/** `find` gets a scenario's lab: from the page, or from the site. */
export function openRuns(find: (scenario: string) => Promise<LabSource>): Runs {
  const sources = new Map<string, Promise<LabSource>>();
  const made = new Map<string, Shown>();
  const making = new Map<string, Promise<Shown>>();

  const sourceOf = (scenario: string): Promise<LabSource> => {
    let source = sources.get(scenario);
    if (source === undefined) {
      source = find(scenario);
      sources.set(scenario, source);
      source.catch(() => sources.delete(scenario));
    }
    return source;
  };
  const make = async (state: LabState): Promise<Shown> => {
    const { data, paths } = await sourceOf(state.scenario);
    const plain = state.recording === data.source && state.actions.length === 0;
    return { data, paths, run: plain ? baseOf(data) : await runOf(data, state, paths) };
  };

  return {
    peek: (state) => made.get(keyOf(state)),
    get(state) {
      const key = keyOf(state);
      const there = made.get(key);
      if (there !== undefined) return Promise.resolve(there);
      let next = making.get(key);
      if (next === undefined) {
        next = make(state);
        making.set(key, next);
        next.then((shown) => made.set(key, shown), () => undefined).finally(() => making.delete(key));
      }
      return next;
    },
  };
}

function keyOf(state: LabState): string {
  return JSON.stringify([state.scenario, state.recording, state.actions]);
}
