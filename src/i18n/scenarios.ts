/** The titles of the scenarios. English titles stand in the scenario files; the Chinese ones are here. */
import type { Scenario } from '../../machines/trace/scenario.ts';
import type { Lang } from './langs.ts';

const zh: Readonly<Record<string, string>> = {};

/** What a scenario is called on its page. */
export function scenarioTitle(lang: Lang, scenario: Scenario): string {
  return lang === 'zh' ? (zh[scenario.id] ?? scenario.title) : scenario.title;
}
