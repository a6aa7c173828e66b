/** Letting virtual time pass for something. */
import type { World } from '../kernel/world.ts';

/** Runs on until `isMet` holds, looking after each thing that happens; false when it is not by `end` (ms of virtual time). */
export function passUntil(world: World, end: number, isMet: () => boolean): boolean {
  while (!isMet()) {
    if (world.clock.now >= end) return false;
    world.clock.runUntil(Math.min(world.clock.nextAt() ?? end, end));
  }
  return true;
}
