/**
 * What a claim wants its new volume filled with (external-provisioner v6.3.0, pkg/controller/controller.go
 * prepareProvision, getPVCSource, getSnapshotSource; pkg/controller/clone_controller.go): another claim, or a snapshot.
 * The snapshot kinds are not served here, so no snapshot can be found. Any other kind is some populator's work.
 */
import type { CsiDriver } from '../../drivers/driver.ts';
import { objectKey, withFinalizer, withoutFinalizer, type ApiServer } from '../../kernel/api-server.ts';
import { WorkQueue } from '../../kernel/work-queue.ts';
import type { World } from '../../kernel/world.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../model/objects.ts';
import { write } from './binder.ts';
import { requestedBytes } from './matching.ts';

const CLONING_PROTECTION = 'provisioner.storage.kubernetes.io/cloning-protection';
const SNAPSHOT_GROUP = 'snapshot.storage.k8s.io';
const NOT_USABLE = 'claim in dataSource not bound or invalid';
const CLONES_BY_SOURCE = 'clones-by-source';

export interface DataSource {
  readonly kind: string;
  readonly name: string;
  readonly apiGroup?: string | undefined;
}

/** The claim's data source; undefined for an empty volume. */
export function dataSourceOf(claim: PersistentVolumeClaim): DataSource | undefined {
  const source = claim.spec.dataSource as Partial<DataSource> | undefined;
  return source === undefined ? undefined : { kind: source.kind ?? '', name: source.name ?? '', apiGroup: source.apiGroup };
}

/** Neither a claim nor a snapshot: a populator is expected to make the volume, and the provisioner leaves the claim alone. @modelled ref 4.2 */
export function isForeignSource(source: DataSource): boolean {
  return source.kind !== 'PersistentVolumeClaim' && source.kind !== 'VolumeSnapshot';
}

/** What is wrong with the source whatever the cluster looks like: its group, or what the driver cannot do. @modelled external-provisioner v6.3.0 pkg/controller/controller.go (checkDriverCapabilities) */
export function faultOfSource(claim: PersistentVolumeClaim, source: DataSource, driver: CsiDriver): string | undefined {
  if (source.name === '') return `the PVC source not found for PVC ${claim.metadata.name}`;
  if (source.kind === 'PersistentVolumeClaim') return driver.clones ? undefined : 'CSI driver does not support clone operations: controller CLONE_VOLUME capability is not reported';
  if (source.apiGroup !== SNAPSHOT_GROUP) return `the PVC source does not belong to the right APIGroup. Expected ${SNAPSHOT_GROUP}, Got ${source.apiGroup ?? ''}`;
  return driver.snapshots ? undefined : 'CSI driver does not support snapshot restore: controller CREATE_DELETE_SNAPSHOT capability is not reported';
}

/** The volume to copy, or why there is none now. @modelled external-provisioner v6.3.0 pkg/controller/controller.go (getVolumeContentSource) */
export function volumeToCopy(api: ApiServer, claim: PersistentVolumeClaim, source: DataSource, storageClass: StorageClass): PersistentVolume | string {
  const found = source.kind === 'VolumeSnapshot' ? noSnapshot(source.name) : sourceVolume(api, claim, source.name, storageClass);
  return typeof found === 'string' ? `error getting handle for DataSource Type ${source.kind} by Name ${source.name}: ${found}` : found;
}

function noSnapshot(name: string): string {
  return `error getting snapshot ${name} from api server: the server could not find the requested resource (get volumesnapshots.${SNAPSHOT_GROUP} ${name})`;
}

function sourceVolume(api: ApiServer, claim: PersistentVolumeClaim, name: string, storageClass: StorageClass): PersistentVolume | string {
  const source = api.get('PersistentVolumeClaim', claim.metadata.namespace, name);
  if (!source) return `error getting PVC ${name} (namespace "${claim.metadata.namespace ?? ''}") from api server: persistentvolumeclaim "${name}" not found`;
  if (source.status.phase !== 'Bound') return `the PVC DataSource ${name} must have a status of Bound.  Got ${goStatus(source)}`;
  if (source.metadata.deletionTimestamp !== undefined) return `the PVC DataSource ${name} is currently being deleted`;
  if (source.spec.storageClassName === undefined) return `the source PVC (${name}) storageclass cannot be empty`;
  const [wanted, has] = [requestedBytes(claim), requestedBytes(source)];
  if (wanted < has) return `error, new PVC request must be greater than or equal in size to the specified PVC data source, requested ${wanted} but source is ${has}`;
  const volume = api.get('PersistentVolume', undefined, source.spec.volumeName ?? '');
  if (volume?.spec.csi?.driver !== storageClass.provisioner || volume.spec.claimRef?.uid !== source.metadata.uid || volume.status.phase !== 'Bound') return NOT_USABLE;
  const [mode, sourceMode] = [claim.spec.volumeMode ?? 'Filesystem', volume.spec.volumeMode ?? 'Filesystem'];
  return mode === sourceMode ? volume : `the source PVC and destination PVCs must have the same volume mode for cloning.  Source is ${sourceMode}, but new PVC requested ${mode}`;
}

/** PersistentVolumeClaimStatus as Go's %v prints it, of a claim that is not bound. */
function goStatus({ status }: PersistentVolumeClaim): string {
  return `{${status.phase} [] map[] [] map[] map[] <nil> <nil>}`;
}

/** A claim that is being copied keeps a finalizer of its own until it is deleted (setCloneFinalizer). @modelled external-provisioner v6.3.0 pkg/controller/controller.go */
export function withCloningProtection(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  return withFinalizer(claim, CLONING_PROTECTION);
}

/** Lets a claim go that was copied once no copy of it is pending any more. @modelled external-provisioner v6.3.0 pkg/controller/clone_controller.go */
export function startCloningProtection(world: World): void {
  world.api.index(CLONES_BY_SOURCE, 'PersistentVolumeClaim', (claim) => {
    const source = dataSourceOf(claim);
    return source?.kind === 'PersistentVolumeClaim' ? [`${claim.metadata.namespace ?? ''}/${source.name}`] : [];
  });
  const queue = new WorkQueue(world.clock, function* (key) {
    const claim = world.api.byKey('PersistentVolumeClaim', key);
    if (!claim?.metadata.finalizers?.includes(CLONING_PROTECTION)) return;
    const copied = world.api.byIndex<'PersistentVolumeClaim'>(CLONES_BY_SOURCE, key).every(({ status }) => status.phase !== 'Pending');
    const done = copied && (yield* write<'PersistentVolumeClaim'>(world, claim, (old) => withoutFinalizer(old, CLONING_PROTECTION)));
    if (done) queue.forget(key);
    else queue.addRateLimited(key);
  });
  world.api.watch('PersistentVolumeClaim', ({ verb, object }) => {
    if (verb !== 'DELETED' && object.metadata.deletionTimestamp !== undefined && object.metadata.finalizers?.includes(CLONING_PROTECTION)) queue.add(objectKey(object));
  });
}
