/** Every controller of the simulated cluster. Each is started with the world and then lives on watches and timers alone. */
import type { World } from '../kernel/world.ts';

export type StartController = (world: World) => void;

export const CONTROLLERS: readonly StartController[] = [];
