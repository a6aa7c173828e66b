/**
 * How each kind of volume is set up and torn down on a node (GenerateMountVolumeFunc, GenerateMapVolumeFunc,
 * GenerateUnmountVolumeFunc and the plugins, v1.35; ref 7.2, 7.3).
 */
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import { hostVolume } from '../../model/host-volume.ts';
import { volumeReachable } from '../../model/node-selector.ts';
import { bytesOf } from '../../model/quantity.ts';
import type { PersistentVolume, Pod } from '../../model/objects.ts';
import { createTree, ProjectedTree, STICKY } from '../../process/filesystem.ts';
import { hostDirectory, tmpfs } from '../../process/mounts.ts';
import { podMemoryLimit } from '../scheduler/resources.ts';
import { CsiPlugin, ephemeralHandle, type CsiNames } from './csi-plugin.ts';
import { HostFiles } from './host-files.ts';
import { applyFsGroup } from './ownership.ts';
import type { NodeVolume, PodMount } from './node-volume.ts';
import { whenDone, type Outcome, type Step } from './outcome.ts';
import { areSame, payloadOf, type Files } from './payload.ts';
import type { VolumeContent } from './volume-content.ts';
import type { PodVolume } from './volume-spec.ts';

const DONE = 'done';
/** A fresh tmpfs; the kubelet finds everybody allowed and leaves it so (pkg/volume/emptydir setupDir). */
const TMPFS_MODE = STICKY | 0o777;
/** The directories of volumes that show objects of the API. */
const IN_MEMORY = { mode: TMPFS_MODE };
const ON_DISK = { mode: 0o777 };
const ONLY_POD_MODE = 'ReadWriteOncePod';

export class Mounter {
  readonly csi: CsiPlugin;
  readonly host: HostFiles;
  private readonly world: World;
  private readonly node: string;
  private lastFiles: Files = new Map();

  constructor(world: World, node: string) {
    this.world = world;
    this.node = node;
    this.csi = new CsiPlugin(world, node);
    this.host = new HostFiles(node, () => world.api.unixMs, () => hostVolume(world.api.get('Node', undefined, node)));
  }

  /**
   * A pod that bypassed the scheduler may stand on a node that the volume cannot reach.
   * @modelled ref 7.2
   */
  affinityProblem(volume: PersistentVolume): string | undefined {
    const labels = this.world.api.get('Node', undefined, this.node)?.metadata.labels ?? {};
    return volumeReachable(volume, labels) ? undefined : 'no matching NodeSelectorTerms';
  }

  /** What keeps the plugin from even preparing the volume. @modelled ref 7.2 */
  preparationProblem(volume: PodVolume): string | undefined {
    const { source } = volume;
    if (source.kind === 'csiEphemeral') return this.csi.ephemeralRefusal(source.driver);
    return source.kind === 'local' ? this.localProblem(source.path) : undefined;
  }

  /** getGlobalLocalPath (pkg/volume/local). @modelled ref 7.2 */
  private localProblem(path: string): string | undefined {
    const kind = this.host.kind(path);
    if (kind === undefined) return `path "${path}" does not exist`;
    return kind === 'directory' || kind === 'block-device' ? undefined : 'only directory and block device are supported';
  }

  /** A hostPath volume takes no mount options. @modelled ref 7.7 */
  mountOptionProblem(volume: PodVolume): string | undefined {
    const options = volume.source.kind === 'hostPath' ? (volume.source.volume?.spec.mountOptions ?? []) : [];
    return options.length > 0 ? 'Mount options are not supported for this volume type' : undefined;
  }

  /** The VolumeAttachment must say attached. */
  waitForAttach(of: NodeVolume, volume: PersistentVolume): Step {
    return this.csi.waitForAttach(volume, this.csiNames(of, volume));
  }

  /** The node-wide step; only CSI drivers do something in it. */
  stage(of: NodeVolume, { source }: PodVolume): Step {
    return source.kind === 'csi' ? this.csi.stage(source.volume, this.csiNames(of, source.volume)) : DONE;
  }

  private csiNames(of: NodeVolume, volume: PersistentVolume): CsiNames {
    return (of.csi ??= this.csi.names(volume));
  }

  /** The pod's own step. When it is done, the mount's content is what the containers find in the volume. */
  publish(mount: PodMount, volume: PodVolume, pod: Pod): Step {
    const { source } = volume;
    if (source.kind === 'csi') {
      const { driver = '', volumeHandle = '' } = source.volume.spec.csi ?? {};
      return whenDone(this.csi.publish(volume, pod, this.csiNames(mount.of, source.volume)), () => this.showDriver(mount, volume, pod, driver, volumeHandle, source.readOnly));
    }
    if (source.kind === 'csiEphemeral') {
      const handle = ephemeralHandle(pod.metadata.uid, volume.name);
      return whenDone(this.csi.publishEphemeral(volume, pod), () => this.showDriver(mount, volume, pod, source.driver, handle, source.readOnly));
    }
    return { ms: timings.localMount, answer: () => this.publishLocally(mount, volume, pod) };
  }

  private showDriver(mount: PodMount, volume: PodVolume, pod: Pod, name: string, handle: string, readOnly: boolean): Outcome {
    const driver = this.world.drivers.get(name);
    return this.show(mount, volume, pod, { tree: driver?.data(handle) ?? createTree(), source: hostDirectory(driver?.mountSource(handle) ?? '/'), readOnly, readOnlyOnNode: readOnly });
  }

  private publishLocally(mount: PodMount, volume: PodVolume, pod: Pod): Outcome {
    const { source, entry } = volume;
    if (source.kind === 'hostPath') return this.publishHostPath(mount, source.path, source.type, volume, pod);
    if (source.kind === 'local') return this.show(mount, volume, pod, { ...this.host.at(source.path), readOnly: false });
    if (source.kind === 'emptyDir') return this.publishEmptyDir(mount, volume, pod, entry.emptyDir?.medium === 'Memory');
    return this.publishPayload(mount, volume, pod);
  }

  private publishHostPath(mount: PodMount, path: string, type: string, volume: PodVolume, pod: Pod): Outcome {
    const problem = this.host.checkType(path, type);
    if (problem !== undefined) return { error: problem, kind: 'transient' };
    return this.show(mount, volume, pod, { ...this.host.at(path), readOnly: false });
  }

  private publishEmptyDir(mount: PodMount, volume: PodVolume, pod: Pod, memory: boolean): Outcome {
    if (mount.content) return DONE;
    const source = memory ? this.memory(pod, volume) : this.host.source(`/var/lib/kubelet/pods/${pod.metadata.uid}/volumes/kubernetes.io~empty-dir/${volume.name}`);
    return this.show(mount, volume, pod, { tree: createTree({ mode: memory ? TMPFS_MODE : 0o777, mtimeMs: this.world.api.unixMs }), source, readOnly: false });
  }

  /**
   * Secret, ConfigMap, projected, downward API: written afresh at every set-up, into the same directory. When the source
   * is gone the set-up fails and the old files stay.
   * @recorded #missing-secret, #secret-removed
   */
  private publishPayload(mount: PodMount, volume: PodVolume, pod: Pod): Outcome {
    const payload = payloadOf(this.world.api, pod, volume.entry);
    if ('error' in payload) return { error: payload.error, kind: 'transient' };
    const tree = (mount.files ??= new ProjectedTree(volume.entry.configMap === undefined ? IN_MEMORY : ON_DISK));
    tree.project(this.keptOnce(payload.files), { nowMs: this.world.api.unixMs, suffix: Math.floor(this.world.random.between(1e8, 4e9)) });
    return this.show(mount, volume, pod, mount.content ?? { tree, source: this.payloadSource(volume, pod), readOnly: true });
  }

  /** Pod after pod shows the same token, certificate and namespace: those are kept once. */
  private keptOnce(files: Files): Files {
    if (!areSame(this.lastFiles, files)) this.lastFiles = files;
    return this.lastFiles;
  }

  /**
   * Secret, projected and downward API volumes lie in memory; a ConfigMap's lies on the node's disk.
   * @modelled pkg/volume/configmap/configmap.go (wraps an emptyDir without medium), v1.35
   */
  private payloadSource(volume: PodVolume, pod: Pod): VolumeContent['source'] {
    if (volume.entry.configMap === undefined) return this.memory(pod, volume);
    return this.host.source(`/var/lib/kubelet/pods/${pod.metadata.uid}/volumes/kubernetes.io~configmap/${volume.name}`);
  }

  /**
   * A tmpfs as large as the node's allocatable memory, or as the pod's limit or the volume's own where those are smaller.
   * @modelled pkg/volume/emptydir/empty_dir.go calculateEmptyDirMemorySize, v1.35
   */
  private memory(pod: Pod, { entry }: PodVolume): VolumeContent['source'] {
    const node = this.world.api.get('Node', undefined, this.node)?.status.allocatable?.['memory'] ?? '0';
    const sizes = [bytesOf(node), podMemoryLimit(pod.spec), bytesOf(entry.emptyDir?.sizeLimit ?? '0')];
    return tmpfs(Math.min(...sizes.filter((size) => size > 0)));
  }

  private show(mount: PodMount, volume: PodVolume, pod: Pod, content: VolumeContent): Outcome {
    if (!volume.block) applyFsGroup(this.world, volume, pod, content);
    mount.content = content;
    return DONE;
  }

  unpublish(mount: PodMount): Step {
    const { volume, pod } = mount;
    const { kind } = volume.source;
    const step: Step = kind === 'csi' || kind === 'csiEphemeral' ? this.csi.unpublish(volume, pod.uid) : { ms: timings.localMount, answer: () => DONE };
    return whenDone(step, () => {
      mount.content = undefined;
      mount.files = undefined;
      return DONE;
    });
  }

  unstage({ source }: PodVolume): Step {
    return source.kind === 'csi' ? this.csi.unstage(source.volume) : DONE;
  }
}

/** A volume that only one pod of the whole cluster may use (ref 3.5). */
export function isForOnePod(volume: PersistentVolume | undefined): boolean {
  const modes = volume?.spec.accessModes ?? [];
  return modes.length === 1 && modes[0] === ONLY_POD_MODE;
}
