/** A workshop as a file: a lab's page gets from it the task that its address names. */
import type { APIRoute } from 'astro';
import { workshopData } from '../../site/workshop-data.ts';
import { workshops } from '../../site/workshops.ts';

export function getStaticPaths(): { params: { workshop: string } }[] {
  return workshops().map(({ id }) => ({ params: { workshop: id } }));
}

export const GET: APIRoute = ({ params }) => {
  const workshop = workshops().find(({ id }) => id === params['workshop']);
  return new Response(JSON.stringify(workshop === undefined ? null : workshopData(workshop)));
};
