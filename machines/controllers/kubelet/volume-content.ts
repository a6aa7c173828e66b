/** What the containers of a pod find in a mounted volume. */
import type { FileTree } from '../../process/filesystem.ts';
import type { MountSource } from '../../process/mounts.ts';

export interface VolumeContent {
  readonly tree: FileTree;
  readonly source: MountSource;
  /** Every container has it read-only, whatever it asks for. */
  readonly readOnly: boolean;
  /** Not even the kubelet can write into it. */
  readonly readOnlyOnNode?: boolean;
}
