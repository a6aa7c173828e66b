/** The provisioners of the cluster: one sidecar per CSI driver, and local-path. */
import type { World } from '../../kernel/world.ts';
import { startCloningProtection } from './data-source.ts';
import { CsiProvisioner } from './csi-provisioner.ts';
import { LocalPathProvisioner } from './local-path.ts';
import { ProvisionController } from './provision-controller.ts';
import { Topology } from './topology.ts';

/** Starts every provisioner. @recorded #immediate-happy, #default-class-local-path */
export function startProvisioners(world: World): void {
  const topology = new Topology(world.api);
  for (const driver of world.drivers.values()) new ProvisionController(world, new CsiProvisioner(world, driver, topology)).start();
  startCloningProtection(world);
  new ProvisionController(world, new LocalPathProvisioner(world)).start();
}
