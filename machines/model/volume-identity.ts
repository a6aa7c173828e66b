/** How the components name volumes and their attachments, and what a volume's access modes allow. */
import { sha256 } from './sha256.ts';
import type { AccessMode, CSIDriver, PersistentVolume } from './objects.ts';

/** `kubernetes.io/csi/DRIVER^HANDLE`: the volume's name in node.status.volumesInUse and volumesAttached. */
export function uniqueCsiName(driver: string, handle: string): string {
  let names = uniqueNames.get(driver);
  if (!names) uniqueNames.set(driver, (names = new Map()));
  let name = names.get(handle);
  if (name === undefined) {
    if (names.size >= MOST_NAMES) names.clear();
    names.set(handle, (name = `kubernetes.io/csi/${driver}^${handle}`));
  }
  return name;
}
/** Several components look volumes up by these names all the time: one string for all of them. */
const uniqueNames = new Map<string, Map<string, string>>();
const MOST_NAMES = 32_768;

/** The VolumeAttachment of a volume on a node: `csi-` and the SHA-256 of handle, driver and node (pkg/volume/csi/csi_attacher.go, v1.35). */
export function attachmentName(handle: string, driver: string, node: string): string {
  return `csi-${sha256(handle + driver + node)}`;
}

/** A CSI volume is attached unless its CSIDriver says `attachRequired: false` (csi_plugin.go skipAttach, v1.35; ref 5). */
export function needsAttach(driver: CSIDriver | undefined): boolean {
  return driver?.spec.attachRequired ?? true;
}

/** IsMultiAttachAllowed: a volume that some access mode opens to several nodes, or one without access modes (pkg/controller/volume/attachdetach/util, v1.35; ref 5). */
export function mayAttachToSeveralNodes(volume: PersistentVolume): boolean {
  const modes = volume.spec.accessModes;
  return modes.length === 0 || modes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany');
}

/** CSI VolumeCapability.AccessMode numbers. */
const CSI_MODES: Readonly<Record<AccessMode, number>> = { ReadWriteOnce: 1, ReadOnlyMany: 3, ReadWriteMany: 5, ReadWriteOncePod: 6 };
const SINGLE_NODE_MULTI_WRITER = 7;

/** The CSI number of one access mode. A driver with SINGLE_NODE_MULTI_WRITER gets 7 for ReadWriteOnce. */
export function csiAccessMode(mode: AccessMode, singleNodeMultiWriter: boolean): number {
  return mode === 'ReadWriteOnce' && singleNodeMultiWriter ? SINGLE_NODE_MULTI_WRITER : CSI_MODES[mode];
}

/** The `volume_capability` of a CSI request, as the trace shows it. */
export function volumeCapability(volume: PersistentVolume, accessMode: number, mountOptions: readonly string[] = []): Readonly<Record<string, unknown>> {
  const fsType = volume.spec.csi?.fsType;
  if (fsType === undefined && mountOptions.length === 0 && volume.spec.volumeMode !== 'Block') return plainMount(accessMode);
  const mount = { ...(fsType === undefined ? {} : { fs_type: fsType }), ...(mountOptions.length > 0 ? { mount_flags: mountOptions } : {}) };
  return { AccessType: volume.spec.volumeMode === 'Block' ? { Block: {} } : { Mount: mount }, access_mode: { mode: accessMode } };
}

/** The capability of a volume of which nothing special is asked: one value for all of them, since each request of each trace has one. */
function plainMount(accessMode: number): Readonly<Record<string, unknown>> {
  return (PLAIN_MOUNTS[accessMode] ??= { AccessType: { Mount: {} }, access_mode: { mode: accessMode } });
}
const PLAIN_MOUNTS: Readonly<Record<string, unknown>>[] = [];
