/**
 * What a provisioner has to know of its kind of volume; the controller around it (provision-controller.ts) is the same
 * for all (sig-storage-lib-external-provisioner v13, interface Provisioner).
 */
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../model/objects.ts';
import type { Step } from './binder.ts';

/**
 * What is known of the volume after a failure. finished: nothing exists, nothing is under way. inBackground: the driver
 * may still be at it, so the same call has to be repeated until its answer is final. reschedule: another node may do.
 * noChange: the call was not made.
 */
export type ProvisioningState = 'finished' | 'inBackground' | 'reschedule' | 'noChange';

export interface ProvisioningFailure {
  readonly state: ProvisioningState;
  /** The event's text. */
  readonly error: string;
  /** The request itself is wrong: no new attempt for five minutes. */
  readonly infeasible?: boolean | undefined;
}

/** The new volume without what the controller around it adds: claimRef, class, provisioned-by, finalizer. */
export interface ProvisionedVolume {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PersistentVolume['spec'];
}

export interface ProvisionOptions {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  readonly volumeName: string;
  /** The node that the scheduler chose; undefined for an Immediate claim. */
  readonly selectedNode: string | undefined;
}

export interface Provisioner {
  /** The name that classes give as their provisioner. */
  readonly name: string;
  /** Component of its events. */
  readonly identity: string;
  /** The node of its pod; undefined when no node of the cluster stops it. */
  readonly node: string | undefined;
  readonly supportsBlock: boolean;
  /** Whether its volumes carry the external-provisioner finalizer. */
  readonly addsFinalizer: boolean;
  /** Back-off of failed claims and volumes, and after how many failures in a row one is given up (0: never). */
  readonly retry: { readonly startMs: number; readonly maxMs: number; readonly failures: number };
  /** The text of a ProvisioningFailed event; older library versions put the class before the error. */
  readonly failureText: (error: string, storageClass: StorageClass) => string;
  /** Makes a volume. `calling` is called right before the storage system is asked. `ignored`: somebody else has to make it. */
  provision(options: ProvisionOptions, calling: () => void): Step<ProvisionedVolume | ProvisioningFailure | 'ignored'>;
  /** Deletes the storage behind a volume; the result is the error, or undefined. `calling` as above. */
  delete(volume: PersistentVolume, calling: () => void): Step<string | undefined>;
}

export function isFailure(result: ProvisionedVolume | ProvisioningFailure): result is ProvisioningFailure {
  return 'error' in result;
}
