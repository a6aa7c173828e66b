/** The kubelet's CSI plugin: its calls to a driver on the node (pkg/volume/csi, v1.35; ref 7.2). */
import { GRPC_CODES, grpcError, type CsiAnswer, type CsiDriver, type NodeRequest, type PublishRequest } from '../../drivers/driver.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { PersistentVolume, Pod, SecretReference, StringMap } from '../../model/objects.ts';
import { sha256 } from '../../model/sha256.ts';
import { attachmentName, csiAccessMode, volumeCapability } from '../../model/volume-identity.ts';
import { failureKind, type Outcome, type Step } from './outcome.ts';
import type { PodVolume } from './volume-spec.ts';

const CSI_DIR = '/var/lib/kubelet/plugins/kubernetes.io/csi';
const POD_INFO = 'csi.storage.k8s.io/';

/** The names that a volume has on a node: of its VolumeAttachment and of the directory where it is staged. */
export interface CsiNames {
  readonly attachment: string;
  readonly stagingPath: string;
}

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

  names(volume: PersistentVolume): CsiNames {
    const { driver, volumeHandle } = csiOf(volume);
    return { attachment: attachmentName(volumeHandle, driver, this.node), stagingPath: this.stagingPath(volume) };
  }

  /** The VolumeAttachment must say attached: one look, no waiting (csi_attacher.go WaitForAttach). @modelled ref 7.2 */
  waitForAttach(volume: PersistentVolume, { attachment }: CsiNames): Step {
    const { volumeHandle } = csiOf(volume);
    return { ms: timings.csiCall, answer: () => this.lookAttached(volumeHandle, attachment) };
  }

  private lookAttached(volumeHandle: string, name: string): Outcome {
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
  stage(volume: PersistentVolume, names: CsiNames): Step {
    const csi = csiOf(volume);
    const driver = this.driver(csi.driver);
    const block = volume.spec.volumeMode === 'Block';
    const step = block ? 'blockMapper.SetUpDevice failed to get CSI client' : 'attacher.MountDevice failed to create newCsiDriverClient';
    if (!driver) return transient(`kubernetes.io/csi: ${step}: ${notRegistered(csi.driver)}`);
    const secret = this.missingSecret(csi.nodeStageSecretRef);
    if (secret !== undefined) return transient(`fetching NodeStageSecretRef ${secret}`);
    return { ms: timings.nodeCsiCall, answer: () => outcome(driver.nodeStage(this.stageRequest(volume, names, driver))) };
  }

  private stageRequest(volume: PersistentVolume, names: CsiNames, driver: CsiDriver): NodeRequest {
    const { volumeHandle: volumeId, volumeAttributes: volumeContext = NO_CONTEXT } = csiOf(volume);
    const wire = this.publishContext(names);
    wire['staging_target_path'] = names.stagingPath;
    wire['volume_capability'] = this.capability(volume, driver);
    putContext(wire, volumeContext);
    wire['volume_id'] = volumeId;
    return { volumeId, node: this.node, volumeContext, wire };
  }

  /** NodePublishVolume: once per pod. @recorded #immediate-happy, #publish-fails, #read-only-mount */
  publish(volume: PodVolume, pod: Pod, names: CsiNames): Step {
    if (volume.source.kind !== 'csi') throw new Error(`volume ${volume.name} is no CSI volume`);
    const { volume: pv, readOnly } = volume.source;
    const csi = csiOf(pv);
    const driver = this.driver(csi.driver);
    if (!driver) return transient(`kubernetes.io/csi: ${volume.block ? 'blockMapper.MapPodDevice' : 'mounter.SetUpAt'} failed to get CSI client: ${notRegistered(csi.driver)}`);
    const secret = this.missingSecret(csi.nodePublishSecretRef);
    if (secret !== undefined) return transient(`fetching NodePublishSecretRef ${secret}`);
    return { ms: timings.nodeCsiCall, answer: () => outcome(driver.nodePublish(this.publishRequest(volume, pv, readOnly, pod, names, driver))) };
  }

  private publishRequest(volume: PodVolume, pv: PersistentVolume, readOnly: boolean, pod: Pod, names: CsiNames, driver: CsiDriver): PublishRequest {
    const { volumeHandle: volumeId, driver: name, volumeAttributes = NO_CONTEXT } = csiOf(pv);
    const volumeContext = this.withPodInfo(volumeAttributes, name, pod, false);
    const targetPath = this.targetPath(volume, pod.metadata.uid);
    const wire = this.publishContext(names);
    if (readOnly) wire['readonly'] = true;
    wire['staging_target_path'] = names.stagingPath;
    wire['target_path'] = targetPath;
    wire['volume_capability'] = this.capability(pv, driver);
    putContext(wire, volumeContext);
    wire['volume_id'] = volumeId;
    return { volumeId, node: this.node, volumeContext, targetPath, readOnly, block: volume.block, wire };
  }

  /** A CSI volume written into the pod itself: made at publish, gone at unpublish; its driver must allow it. @modelled ref 7.2 */
  publishEphemeral(volume: PodVolume, pod: Pod): Step {
    if (volume.source.kind !== 'csiEphemeral') throw new Error(`volume ${volume.name} is no inline CSI volume`);
    const { driver: name, readOnly, attributes } = volume.source;
    const driver = this.driver(name);
    if (!driver) return transient(`kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: ${notRegistered(name)}`);
    return { ms: timings.nodeCsiCall, answer: () => outcome(driver.nodePublish(this.ephemeralRequest(volume, pod, driver, readOnly, attributes))) };
  }

  private ephemeralRequest(volume: PodVolume, pod: Pod, driver: CsiDriver, readOnly: boolean, attributes: StringMap): PublishRequest {
    const volumeId = ephemeralHandle(pod.metadata.uid, volume.name);
    const volumeContext = this.withPodInfo(attributes, driver.name, pod, true);
    const targetPath = this.targetPath(volume, pod.metadata.uid);
    const wire: Wire = readOnly ? { readonly: true } : {};
    wire['target_path'] = targetPath;
    wire['volume_capability'] = { AccessType: { Mount: {} }, access_mode: { mode: csiAccessMode('ReadWriteOnce', driver.singleNodeMultiWriter) } };
    putContext(wire, volumeContext);
    wire['volume_id'] = volumeId;
    return { volumeId, node: this.node, volumeContext, targetPath, readOnly, block: false, wire };
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
  unpublish(volume: PodVolume, podUid: string): Step {
    const { driver: name, volumeId } = this.identify(volume, podUid);
    const driver = this.driver(name);
    if (!driver) return transient(`kubernetes.io/csi: Unmounter.TearDownAt failed to get CSI client: ${notRegistered(name)}`);
    const targetPath = this.targetPath(volume, podUid);
    const request = { volumeId, node: this.node, volumeContext: NO_CONTEXT, targetPath, readOnly: false, block: volume.block, wire: { target_path: targetPath, volume_id: volumeId } };
    return { ms: timings.csiCall, answer: () => outcome(driver.nodeUnpublish(request)) };
  }

  /** NodeUnstageVolume, after the last pod. @recorded #node-move, #rwo-two-pods-one-node */
  unstage(volume: PersistentVolume): Step {
    const csi = csiOf(volume);
    const driver = this.driver(csi.driver);
    if (!driver) return transient(`kubernetes.io/csi: attacher.UnmountDevice failed to create newCsiDriverClient: ${notRegistered(csi.driver)}`);
    const request = { volumeId: csi.volumeHandle, node: this.node, volumeContext: NO_CONTEXT, wire: { staging_target_path: this.stagingPath(volume), volume_id: csi.volumeHandle } };
    return { ms: timings.csiCall, answer: () => outcome(driver.nodeUnstage(request)) };
  }

  /** NodeExpandVolume. @recorded #expand-online */
  expand(volume: PersistentVolume): Step {
    const csi = csiOf(volume);
    const driver = this.driver(csi.driver);
    if (!driver) return transient(notRegistered(csi.driver));
    const request = { volumeId: csi.volumeHandle, node: this.node, volumeContext: NO_CONTEXT, wire: { volume_id: csi.volumeHandle, volume_path: this.stagingPath(volume) } };
    return { ms: timings.nodeCsiCall, answer: () => outcome(driver.nodeExpand(request)) };
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
  private publishContext({ attachment }: CsiNames): Wire {
    const metadata = this.world.api.get('VolumeAttachment', undefined, attachment)?.status.attachmentMetadata;
    return metadata ? { publish_context: metadata } : {};
  }

  /** The kubelet tells the driver the first access mode only. */
  private capability(volume: PersistentVolume, driver: CsiDriver): Readonly<Record<string, unknown>> {
    const mode = csiAccessMode(volume.spec.accessModes[0] ?? 'ReadWriteOnce', driver.singleNodeMultiWriter);
    return volumeCapability(volume, mode, volume.spec.mountOptions);
  }

  /** podInfoOnMount: the driver learns which pod the volume is for. */
  private withPodInfo(context: StringMap, driver: string, pod: Pod, ephemeral: boolean): StringMap {
    if (this.world.api.get('CSIDriver', undefined, driver)?.spec.podInfoOnMount !== true) return context;
    const { name, namespace = 'default', uid } = pod.metadata;
    return {
      ...context,
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
    return [CSI_DIR, driver, sha256(volumeHandle), 'globalmount'].join('/');
  }

  targetPath(volume: PodVolume, podUid: string): string {
    if (volume.block) return `${CSI_DIR}/volumeDevices/publish/${volume.specName}/${podUid}`;
    // Joined: a template leaves a chain of pieces in the trace.
    return ['/var/lib/kubelet/pods', podUid, 'volumes/kubernetes.io~csi', volume.specName, 'mount'].join('/');
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

/** A request as the trace shows it, in the making. */
type Wire = Record<string, unknown>;
const NO_CONTEXT: StringMap = {};

function putContext(wire: Wire, volumeContext: StringMap): void {
  for (const _any in volumeContext) {
    wire['volume_context'] = volumeContext;
    return;
  }
}
