/** When are two scenarios the same run? When the same things are done in the same order, however their YAML is written. */
import type { ManifestReader } from '../../machines/run/manifest-document.ts';
import type { Scenario } from '../../machines/trace/scenario.ts';

/** A key of the steps alone: name, title and namespace of a scenario say nothing about what happens. */
export function scenarioKey(scenario: Scenario, readManifest: ManifestReader): string {
  const steps = scenario.steps.map((step) => ('apply' in step ? { apply: readManifest(step.apply).map(({ value }) => value) } : step));
  return fnv(JSON.stringify(sorted(steps)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, entry]) => [key, sorted(entry)]));
}

/** FNV-1a, twice with different seeds: 64 bits in base 36. */
function fnv(text: string): string {
  return [0x811c9dc5, 0x01234567]
    .map((seed) => {
      let hash = seed;
      for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
      return hash.toString(36);
    })
    .join('-');
}
