/** What the containers of a pod find in a mounted volume. */
import type { FileTree } from '../../process/filesystem.ts';
import type { MountSource } from '../../process/mounts.ts';

export interface VolumeContent {
  readonly tree: FileTree;
  readonly source: MountSource;
  /** The volume itself is read-only, whatever a container asks for. */
  readonly readOnly: boolean;
}
