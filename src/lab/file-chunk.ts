/** What is loaded when a reader opens a file: the readers of both formats, with their errors. */
import type { Scenario } from '../../machines/trace/scenario.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { parseScenario } from '../formats/scenario.ts';
import { readManifests } from './read-manifests.ts';
import type { ReadManifests } from './manifests.ts';
import { parseTrace } from '../formats/trace.ts';

export type Opened = { readonly kind: 'trace'; readonly trace: Trace } | { readonly kind: 'scenario'; readonly scenario: Scenario; readonly manifests: ReadManifests };

/** A trace (JSON) or a scenario (YAML). Throws FormatError with what is wrong and where. */
export function readFile(text: string, name: string): Opened {
  if (/^\s*\{/.test(text)) return { kind: 'trace', trace: parseTrace(text, name) };
  const scenario = parseScenario(text, name);
  return { kind: 'scenario', scenario, manifests: readManifests(scenario) };
}
