/** A recording as it is, for a lab that opens it. */
import type { APIRoute } from 'astro';
import { recordingsOf, scenarioIds } from '../../../site/runs.ts';

export function getStaticPaths(): { params: { scenario: string; run: string } }[] {
  return scenarioIds().flatMap((scenario) => recordingsOf(scenario).map((_, i) => ({ params: { scenario, run: String(i + 1) } })));
}

export const GET: APIRoute = ({ params }) => {
  const trace = recordingsOf(params['scenario'] ?? '')[Number(params['run']) - 1];
  return new Response(JSON.stringify(trace));
};
