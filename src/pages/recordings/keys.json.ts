/** Which recorded scenario a set of steps is: the lab looks a changed scenario up here. */
import type { APIRoute } from 'astro';
import { manifestDocuments } from '../../../machines/index.ts';
import { scenarioKey } from '../../lab/scenario-key.ts';
import { scenarioIds, scenarioOf } from '../../site/runs.ts';

export const GET: APIRoute = () => new Response(JSON.stringify(Object.fromEntries(scenarioIds().map((id) => [scenarioKey(scenarioOf(id), manifestDocuments), id]))));
