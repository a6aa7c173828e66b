/** An actor as the page's language calls it; controllers keep their own names. */
import type { Actor } from '../trace-view/actors.ts';
import type { Say } from './text.tsx';

export function actorName(actor: Actor, say: Say): string {
  return actor === 'person' || actor === 'driver' || actor === 'other controller' ? say(`actor_${actor}`) : actor;
}
