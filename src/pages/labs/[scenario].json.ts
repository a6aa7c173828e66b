/** A lab's data as a file, for what opens a lab without its page: talks, and the replay of a workshop's actions. */
import type { APIRoute } from 'astro';
import { labData } from '../../site/lab-data.ts';
import { fileScenarios } from '../../site/lab-files.ts';

export async function getStaticPaths(): Promise<{ params: { scenario: string } }[]> {
  return (await fileScenarios()).map((scenario) => ({ params: { scenario } }));
}

export const GET: APIRoute = ({ params }) => new Response(JSON.stringify(labData(params['scenario'] ?? '')));
