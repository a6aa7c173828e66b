/** The kubelet's CSI plugin: its calls to a driver on the node (pkg/volume/csi, v1.35; ref 7.2). */
import { GRPC_CODES, grpcError, type CsiAnswer, type CsiDriver } from '../../drivers/driver.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { PersistentVolume, Pod, SecretReference, StringMap } from '../../model/objects.ts';
import { sha256 } from '../../model/sha256.ts';
import { attachmentName, csiAccessMode, volumeCapability } from '../../model/volume-identity.ts';
import { failureKind, type Outcome, type Steps } from './outcome.ts';
import type { PodVolume } from './volume-spec.ts';

const CSI_DIR = '/var/lib/kubelet/plugins/kubernetes.io/csi';
const POD_INFO = 'csi.storage.k8s.io/';

export class CsiPlugin {
  private readonly world: World;
  private readonly node: string;
  /** The drivers that have registered with this kubelet. */
  private readonly registered: ReadonlySet<string>;

  constructor(world: World, node: string) {
    this.world = world;
    this.node = node;
    this.registered = new Set((world.api.get('CSINode', undefined, node)?.spec.drivers ?? []).map(({ name }) => name));
  }

  /**
   * A driver registers over a socket on the node, and the kubelet then writes it into the node's CSINode. Whoever takes it out
   * of there by hand misleads the controllers; the kubelet still knows it.
   * @modelled pkg/volume/csi/csi_drivers_store.go, v1.35
   */
  private driver(name: string): CsiDriver | undefined {
    return this.registered.has(name) ? this.world.drivers.get(name) : undefined;
  }

  /** The VolumeAttachment must say attached: one look, no waiting (csi_attacher.go WaitForAttach). @modelled ref 7.2 */
  *waitForAttach(volume: PersistentVolume): Steps<Outcome> {
    const { driver, volumeHandle } = csiOf(volume);
    const name = attachmentName(volumeHandle, driver, this.node);
    yield timings.csiCall;
    const attachment = this.world.api.get('VolumeAttachment', undefined, name);
    if (!attachment) return transient(`volume ${volumeHandle} has GET error for volume attachment ${name}: volumeattachments.storage.k8s.io "${name}" is forbidden: User "system:node:${this.node}" cannot get resource "volumeattachments" in API group "storage.k8s.io" at the cluster scope: no relationship found between node '${this.node}' and this object`);
    if (attachment.metadata.deletionTimestamp !== undefined) return transient('volume attachment is being deleted');
    if (!attachment.status.attached) return transient(`volume ${volumeHandle} is not attached for volume attachment ${name}`);
    return 'done';
  }

  /** The attacher was told ResourceExhausted, by a driver whose count of free places is kept up to date. @modelled ref 7.1 */
  attachLimitReached(volume: PersistentVolume): boolean {
    const { driver, volumeHandle } = csiOf(volume);
    const refreshed = this.world.api.get('CSIDriver', undefined, driver)?.spec.nodeAllocatableUpdatePeriodSeconds !== undefined;
    const attachment = this.world.api.get('VolumeAttachment', undefined, attachmentName(volumeHandle, driver, this.node));
    return refreshed && attachment?.status.attachError?.errorCode === GRPC_CODES.ResourceExhausted;
  }

  /** NodeStageVolume: once per node and volume. @recorded #immediate-happy, #node-move, #stage-fails-backoff */
  *stage(volume: PersistentVolume): Steps<Outcome> {
    const csi = csiOf(volume);
    const driver = this.driver(csi.driver);
    const block = volume.spec.volumeMode === 'Block';
    const step = block ? 'blockMapper.SetUpDevice failed to get CSI client' : 'attacher.MountDevice failed to create newCsiDriverClient';
    if (!driver) return transient(`kubernetes.io/csi: ${step}: ${notRegistered(csi.driver)}`);
    const secret = this.missingSecret(csi.nodeStageSecretRef);
    if (secret !== undefined) return transient(`fetching NodeStageSecretRef ${secret}`);
    yield timings.nodeCsiCall;
    return outcome(driver.nodeStage({
      volumeId: csi.volumeHandle,
      node: this.node,
      volumeContext: csi.volumeAttributes ?? {},
      wire: {
        ...this.publishContext(volume),
        staging_target_path: this.stagingPath(volume),
        volume_capability: this.capability(volume, driver),
        ...context(csi.volumeAttributes ?? {}),
        volume_id: csi.volumeHandle,
      },
    }));
  }

  /** NodePublishVolume: once per pod. @recorded #immediate-happy, #publish-fails, #read-only-mount */
  *publish(volume: PodVolume, pod: Pod): Steps<Outcome> {
    if (volume.source.kind === 'csiEphemeral') return yield* this.publishEphemeral(volume, pod);
    if (volume.source.kind !== 'csi') throw new Error(`volume ${volume.name} is no CSI volume`);
    const { volume: pv, readOnly } = volume.source;
    const csi = csiOf(pv);
    const driver = this.driver(csi.driver);
    if (!driver) return transient(`kubernetes.io/csi: ${volume.block ? 'blockMapper.MapPodDevice' : 'mounter.SetUpAt'} failed to get CSI client: ${notRegistered(csi.driver)}`);
    const secret = this.missingSecret(csi.nodePublishSecretRef);
    if (secret !== undefined) return transient(`fetching NodePublishSecretRef ${secret}`);
    yield timings.nodeCsiCall;
    const volumeContext = { ...csi.volumeAttributes, ...this.podInfo(csi.driver, pod, false) };
    return outcome(driver.nodePublish({
      volumeId: csi.volumeHandle,
      node: this.node,
      volumeContext,
      targetPath: this.targetPath(volume, pod.metadata.uid),
      readOnly,
      block: volume.block,
      wire: {
        ...this.publishContext(pv),
        ...(readOnly ? { readonly: true } : {}),
        staging_target_path: this.stagingPath(pv),
        target_path: this.targetPath(volume, pod.metadata.uid),
        volume_capability: this.capability(pv, driver),
        ...context(volumeContext),
        volume_id: csi.volumeHandle,
      },
    }));
  }

  /** A CSI volume written into the pod itself: made at publish, gone at unpublish; its driver must allow it. @modelled ref 7.2 */
  private *publishEphemeral(volume: PodVolume, pod: Pod): Steps<Outcome> {
    if (volume.source.kind !== 'csiEphemeral') throw new Error(`volume ${volume.name} is no inline CSI volume`);
    const { driver: name, readOnly, attributes } = volume.source;
    const driver = this.driver(name);
    if (!driver) return transient(`kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: ${notRegistered(name)}`);
    yield timings.nodeCsiCall;
    const volumeId = ephemeralHandle(pod.metadata.uid, volume.name);
    const volumeContext = { ...attributes, ...this.podInfo(name, pod, true) };
    const targetPath = this.targetPath(volume, pod.metadata.uid);
    const capability = { AccessType: { Mount: {} }, access_mode: { mode: csiAccessMode('ReadWriteOnce', driver.singleNodeMultiWriter) } };
    const wire = { ...(readOnly ? { readonly: true } : {}), target_path: targetPath, volume_capability: capability, ...context(volumeContext), volume_id: volumeId };
    return outcome(driver.nodePublish({ volumeId, node: this.node, volumeContext, targetPath, readOnly, block: false, wire }));
  }

  /** Why an inline CSI volume cannot even be prepared: its driver does not allow volumes of pods (csi_plugin.go supportsVolumeLifecycleMode). @modelled ref 7.2 */
  ephemeralRefusal(driver: string): string | undefined {
    const object = this.world.api.get('CSIDriver', undefined, driver);
    const mode = '"Ephemeral"';
    if (!object) return `volume mode ${mode} not supported by driver ${driver} (no CSIDriver object)`;
    const modes = object.spec.volumeLifecycleModes ?? ['Persistent'];
    return modes.includes('Ephemeral') ? undefined : `volume mode ${mode} not supported by driver ${driver} (only supports [${modes.map((m) => `"${m}"`).join(' ')}])`;
  }

  /** NodeUnpublishVolume. @recorded #node-move */
  *unpublish(volume: PodVolume, podUid: string): Steps<Outcome> {
    const { driver: name, volumeId } = this.identify(volume, podUid);
    const driver = this.driver(name);
    if (!driver) return transient(`kubernetes.io/csi: Unmounter.TearDownAt failed to get CSI client: ${notRegistered(name)}`);
    const targetPath = this.targetPath(volume, podUid);
    yield timings.csiCall;
    return outcome(driver.nodeUnpublish({ volumeId, node: this.node, volumeContext: {}, targetPath, readOnly: false, block: volume.block, wire: { target_path: targetPath, volume_id: volumeId } }));
  }

  /** NodeUnstageVolume, after the last pod. @recorded #node-move, #rwo-two-pods-one-node */
  *unstage(volume: PersistentVolume): Steps<Outcome> {
    const csi = csiOf(volume);
    const driver = this.driver(csi.driver);
    if (!driver) return transient(`kubernetes.io/csi: attacher.UnmountDevice failed to create newCsiDriverClient: ${notRegistered(csi.driver)}`);
    yield timings.csiCall;
    return outcome(driver.nodeUnstage({ volumeId: csi.volumeHandle, node: this.node, volumeContext: {}, wire: { staging_target_path: this.stagingPath(volume), volume_id: csi.volumeHandle } }));
  }

  /** NodeExpandVolume. @recorded #expand-online */
  *expand(volume: PersistentVolume): Steps<Outcome & { readonly code?: string } | 'done'> {
    const csi = csiOf(volume);
    const driver = this.driver(csi.driver);
    if (!driver) return transient(notRegistered(csi.driver));
    yield timings.nodeCsiCall;
    return outcome(driver.nodeExpand({ volumeId: csi.volumeHandle, node: this.node, volumeContext: {}, wire: { volume_id: csi.volumeHandle, volume_path: this.stagingPath(volume) } }));
  }

  private identify(volume: PodVolume, podUid: string): { readonly driver: string; readonly volumeId: string } {
    if (volume.source.kind === 'csi') {
      const { driver, volumeHandle } = csiOf(volume.source.volume);
      return { driver, volumeId: volumeHandle };
    }
    if (volume.source.kind === 'csiEphemeral') return { driver: volume.source.driver, volumeId: ephemeralHandle(podUid, volume.name) };
    throw new Error(`volume ${volume.name} is no CSI volume`);
  }

  /** What ControllerPublishVolume answered, handed on through the VolumeAttachment. */
  private publishContext(volume: PersistentVolume): { readonly publish_context?: StringMap } {
    const { driver, volumeHandle } = csiOf(volume);
    const metadata = this.world.api.get('VolumeAttachment', undefined, attachmentName(volumeHandle, driver, this.node))?.status.attachmentMetadata;
    return metadata ? { publish_context: metadata } : {};
  }

  /** The kubelet tells the driver the first access mode only. */
  private capability(volume: PersistentVolume, driver: CsiDriver): Readonly<Record<string, unknown>> {
    const mode = csiAccessMode(volume.spec.accessModes[0] ?? 'ReadWriteOnce', driver.singleNodeMultiWriter);
    return volumeCapability(volume, mode, volume.spec.mountOptions);
  }

  /** podInfoOnMount: the driver learns which pod the volume is for. */
  private podInfo(driver: string, pod: Pod, ephemeral: boolean): StringMap {
    if (this.world.api.get('CSIDriver', undefined, driver)?.spec.podInfoOnMount !== true) return {};
    const { name, namespace = 'default', uid } = pod.metadata;
    return {
      [`${POD_INFO}ephemeral`]: String(ephemeral),
      [`${POD_INFO}pod.name`]: name,
      [`${POD_INFO}pod.namespace`]: namespace,
      [`${POD_INFO}pod.uid`]: uid,
      [`${POD_INFO}serviceAccount.name`]: pod.spec.serviceAccountName ?? 'default',
    };
  }

  private missingSecret(reference: SecretReference | undefined): string | undefined {
    if (!reference || this.world.api.get('Secret', reference.namespace, reference.name)) return undefined;
    const { name, namespace } = reference;
    return `${namespace}/${name} failed: kubernetes.io/csi: failed to find the secret ${name} in the namespace ${namespace} with error: secrets "${name}" not found`;
  }

  stagingPath(volume: PersistentVolume): string {
    if (volume.spec.volumeMode === 'Block') return `${CSI_DIR}/volumeDevices/staging/${volume.metadata.name}`;
    const { driver, volumeHandle } = csiOf(volume);
    return `${CSI_DIR}/${driver}/${sha256(volumeHandle)}/globalmount`;
  }

  targetPath(volume: PodVolume, podUid: string): string {
    if (volume.block) return `${CSI_DIR}/volumeDevices/publish/${volume.specName}/${podUid}`;
    return `/var/lib/kubelet/pods/${podUid}/volumes/kubernetes.io~csi/${volume.specName}/mount`;
  }

  /** The two places at which a block device is linked, as the SuccessfulMountVolume events name them. @recorded #block-device */
  mapPaths(volume: PodVolume, podUid: string): { readonly global: string; readonly pod: string } {
    return { global: `${CSI_DIR}/volumeDevices/${volume.specName}/dev`, pod: `/var/lib/kubelet/pods/${podUid}/volumeDevices/kubernetes.io~csi` };
  }
}

function csiOf(volume: PersistentVolume): NonNullable<PersistentVolume['spec']['csi']> {
  if (!volume.spec.csi) throw new Error(`volume ${volume.metadata.name} is no CSI volume`);
  return volume.spec.csi;
}

export function ephemeralHandle(podUid: string, volume: string): string {
  return `csi-${sha256(`${podUid}${volume}`)}`;
}

function notRegistered(driver: string): string {
  return `driver name ${driver} not found in the list of registered CSI drivers`;
}

function transient(error: string): Outcome & object {
  return { error, kind: 'transient' };
}

function outcome(answer: CsiAnswer<unknown>): Outcome {
  return answer.code === 'OK' ? 'done' : { error: grpcError(answer), kind: failureKind(answer.code) };
}

function context(volumeContext: StringMap): { readonly volume_context?: StringMap } {
  return Object.keys(volumeContext).length > 0 ? { volume_context: volumeContext } : {};
}
