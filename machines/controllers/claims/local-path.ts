/**
 * rancher.io/local-path, the provisioner of kind's default class (ref 11; refinements 4; rancher/local-path-provisioner
 * provisioner.go on sig-storage-lib v10). Not CSI: a volume is a directory of one node, made and removed by a helper pod
 * that the provisioner starts there in a namespace of its own. The helper pods are no objects of this cluster; what stays
 * of them is the time they take, and that a node which stands still runs none.
 */
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../model/objects.ts';
import { annotation } from './annotations.ts';
import type { Step } from './binder.ts';
import type { ProvisionedVolume, Provisioner, ProvisioningFailure, ProvisionOptions } from './provisioner.ts';

export const LOCAL_PATH_PROVISIONER = 'rancher.io/local-path';
const NODE_ANNOTATION = 'local.path.provisioner/selected-node';
const HOSTNAME = 'kubernetes.io/hostname';
/** Where kind puts the directories. */
const BASE_DIRECTORY = '/var/local-path-provisioner';

export class LocalPathProvisioner implements Provisioner {
  readonly name = LOCAL_PATH_PROVISIONER;
  readonly identity: string;
  readonly node = undefined;
  readonly supportsBlock = false;
  readonly addsFinalizer = false;
  /** The library's defaults: 15 s · 2^n up to 1000 s, given up after 15 failures. */
  readonly retry = { startMs: 15_000, maxMs: 1_000_000, failures: 15 };
  readonly failureText = (error: string, storageClass: StorageClass): string => `failed to provision volume with StorageClass "${storageClass.metadata.name}": ${error}`;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
    this.identity = `${this.name}_local-path-provisioner-${world.random.suffix(10)}-${world.random.suffix(5)}_${world.random.uuid()}`;
  }

  /** @recorded #default-class-local-path */
  *provision(options: ProvisionOptions, calling: () => void): Step<ProvisionedVolume | ProvisioningFailure> {
    const { claim, selectedNode, volumeName } = options;
    yield timings.csiCall;
    const refusal = faultOfClaim(claim, selectedNode);
    if (refusal !== undefined || selectedNode === undefined) return { state: 'finished', error: refusal ?? '' };
    calling();
    const error = yield* this.runHelperPod(selectedNode);
    if (error !== undefined) return { state: 'finished', error: `failed to create volume ${volumeName}: ${error}` };
    const hostname = this.world.api.get('Node', undefined, selectedNode)?.metadata.labels?.[HOSTNAME] ?? selectedNode;
    return volumeOn(options, selectedNode, hostname);
  }

  /** @recorded #default-class-local-path */
  *delete(volume: PersistentVolume, calling: () => void): Step<string | undefined> {
    calling();
    const error = yield* this.runHelperPod(annotation(volume, NODE_ANNOTATION) ?? '');
    return error === undefined ? undefined : `failed to delete volume ${volume.metadata.name}: ${error}`;
  }

  /** Looks once a second whether the helper pod has succeeded, for two minutes. A node that stands still runs none. @recorded #default-class-local-path */
  private *runHelperPod(node: string): Step<string | undefined> {
    let ran = 0;
    for (let waited = 0; waited < timings.helperPodTimeout; waited += timings.helperPodPoll) {
      yield timings.helperPodPoll;
      if (!this.world.pausedNodes.has(node) && this.world.api.get('Node', undefined, node)) ran += timings.helperPodPoll;
      if (ran >= timings.helperPod) return undefined;
    }
    return `create process timeout after ${timings.helperPodTimeout / 1000} seconds`;
  }
}

/** What a directory of one node cannot be. @modelled rancher/local-path-provisioner provisioner.go */
function faultOfClaim(claim: PersistentVolumeClaim, selectedNode: string | undefined): string | undefined {
  if (claim.spec.selector !== undefined) return 'claim.Spec.Selector is not supported';
  const odd = (claim.spec.accessModes ?? []).some((mode) => mode !== 'ReadWriteOnce' && mode !== 'ReadWriteOncePod');
  if (odd) return 'NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes';
  return selectedNode === undefined ? 'configuration error, no node was specified' : undefined;
}

function volumeOn({ claim, storageClass, volumeName }: ProvisionOptions, node: string, hostname: string): ProvisionedVolume {
  return {
    annotations: { [NODE_ANNOTATION]: node },
    spec: {
      accessModes: claim.spec.accessModes ?? [],
      capacity: { storage: claim.spec.resources?.requests?.storage ?? '0' },
      hostPath: { path: `${BASE_DIRECTORY}/${volumeName}_${claim.metadata.namespace ?? ''}_${claim.metadata.name}`, type: 'DirectoryOrCreate' },
      ...(storageClass.mountOptions ? { mountOptions: storageClass.mountOptions } : {}),
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: HOSTNAME, operator: 'In', values: [hostname] }] }] } },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      volumeMode: 'Filesystem',
    },
  };
}
