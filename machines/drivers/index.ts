import type { World } from '../kernel/world.ts';
import type { CsiDriver } from './driver.ts';
import { HostpathDriver } from './hostpath.ts';
import { ZonalDriver } from './zonal.ts';

/** The CSI drivers of the simulated cluster, by name. */
export function createDrivers(world: World): ReadonlyMap<string, CsiDriver> {
  const drivers: CsiDriver[] = [new HostpathDriver(world), new ZonalDriver(world)];
  return new Map(drivers.map((driver) => [driver.name, driver]));
}
