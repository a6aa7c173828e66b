/** One provisioner per CSI driver. */
import type { World } from '../../kernel/world.ts';
import { CsiProvisioner } from './csi-provisioner.ts';
import { ProvisionController } from './provision-controller.ts';
import { Topology } from './topology.ts';

/** Starts the external-provisioner sidecar of every CSI driver. @recorded #immediate-happy */
export function startProvisioners(world: World): void {
  const topology = new Topology(world.api);
  for (const driver of world.drivers.values()) new ProvisionController(world, new CsiProvisioner(world, driver, topology)).start();
}
