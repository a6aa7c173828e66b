/** The host's side of a node's /var: nodes are containers, and this directory is a volume of the machine that runs them. */
import type { Node } from './objects.ts';
import { sha256 } from './sha256.ts';

/** The host's directory that the node sees as /var. Its letters are drawn when the node is made, so they come from the node's uid and not from its name. @recorded #immediate-happy */
export function hostVolume(node: Node | undefined): string {
  return `/var/lib/docker/volumes/${sha256(`/var of ${node?.metadata.uid ?? ''}`)}/_data`;
}
