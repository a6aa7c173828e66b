/** How the PV controller asks for a new volume (ref 2.3; provisionClaim, provisionClaimOperationExternal). */
import { objectKey, withAnnotations } from '../../kernel/api-server.ts';
import type { OperationKey } from '../../kernel/pending-operations.ts';
import { timings } from '../../kernel/timings.ts';
import { runWork } from '../../kernel/work-queue.ts';
import type { PersistentVolumeClaim } from '../../model/objects.ts';
import { BETA_STORAGE_PROVISIONER, classNameOf, STORAGE_PROVISIONER } from './annotations.ts';
import { write, type Binder, type Step } from './binder.ts';
import { classOf } from './classes.ts';

/** The in-tree provisioners that the controller manager still carries under their own name. */
const IN_TREE = 'kubernetes.io/';
/** In-tree provisioners whose work a CSI driver has taken over, and that driver (staging csi-translation-lib, v1.35). */
const MIGRATED: Readonly<Record<string, string>> = {
  'kubernetes.io/aws-ebs': 'ebs.csi.aws.com',
  'kubernetes.io/azure-disk': 'disk.csi.azure.com',
  'kubernetes.io/azure-file': 'file.csi.azure.com',
  'kubernetes.io/cinder': 'cinder.csi.openstack.org',
  'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
  'kubernetes.io/portworx-volume': 'pxd.portworx.com',
  'kubernetes.io/vsphere-volume': 'csi.vsphere.vmware.com',
};

/**
 * Starts the operation that asks the class's provisioner; one runs at a time for a claim. A class that is missing, or
 * whose in-tree provisioner does not exist, is announced and tried again at the next sync.
 * @recorded #immediate-happy, #class-not-found, #provisioner-absent
 */
export function provisionClaim(binder: Binder, claim: PersistentVolumeClaim): void {
  const storageClass = classOf(binder.world.api, claim);
  const provisioner = storageClass && (MIGRATED[storageClass.provisioner] ?? storageClass.provisioner);
  const fault = provisioner !== undefined ? faultOfProvisioner(provisioner) : `storageclass.storage.k8s.io "${classNameOf(claim)}" not found`;
  if (provisioner === undefined || fault !== undefined) {
    binder.claims.get(objectKey(claim)).try('WAIT_FOR_VOLUME');
    binder.recorder.event(claim, 'Warning', 'ProvisioningFailed', fault ?? '');
    return;
  }
  const operation = { volume: claim.metadata.uid };
  if (binder.provisioning.start(operation, 'provision').started) runWork(binder.world.clock, askProvisioner(binder, claim, provisioner, operation));
}

/** `kubernetes.io/no-provisioner` and the like: no plugin of that name. @modelled ref 2.3 */
function faultOfProvisioner(provisioner: string): string | undefined {
  return provisioner.startsWith(IN_TREE) ? `no volume plugin matched name: ${provisioner}` : undefined;
}

/**
 * Names the provisioner on the claim, once; then says that the claim waits for it. A write that was refused is told, and
 * not repeated before its back-off is over. @recorded #immediate-happy, #provisioner-absent
 */
function* askProvisioner(binder: Binder, claim: PersistentVolumeClaim, provisioner: string, operation: OperationKey): Step<void> {
  const named = (old: PersistentVolumeClaim): PersistentVolumeClaim => withAnnotations(old, { [BETA_STORAGE_PROVISIONER]: provisioner, [STORAGE_PROVISIONER]: provisioner });
  const asked = yield* write<'PersistentVolumeClaim'>(binder.world, claim, named, (message) => {
    binder.recorder.event(claim, 'Warning', 'ProvisioningFailed', `Error saving claim: ${message}`);
  });
  if (!asked) {
    binder.provisioning.fail(operation);
    return;
  }
  binder.claims.get(objectKey(claim)).try('REQUEST_PROVISIONING');
  binder.recorder.event(
    asked,
    'Normal',
    'ExternalProvisioning',
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
  );
  // The operation outlives the watch event of its own write, so that event finds it running (#immediate-happy 1).
  yield 2 * timings.watchLatency;
  binder.provisioning.succeed(operation);
}
