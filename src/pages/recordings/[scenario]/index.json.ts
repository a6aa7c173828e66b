/** Where each event of a scenario stands in its recordings: for a changed run that turns out to be a recorded one. */
import type { APIRoute } from 'astro';
import { recordingsOf, scenarioIds } from '../../../site/runs.ts';
import { recordedIndex } from '../../../trace-view/recorded.ts';

export function getStaticPaths(): { params: { scenario: string } }[] {
  return scenarioIds().map((scenario) => ({ params: { scenario } }));
}

export const GET: APIRoute = ({ params }) => {
  const scenario = params['scenario'] ?? '';
  return new Response(JSON.stringify(recordedIndex(scenario, recordingsOf(scenario))));
};
