/** What the person's steps need beside the API server: kubectl's printers, processes inside containers, the nodes. */
export interface Hands {
  kubectl(command: string, namespace: string): { readonly code: number; readonly text: string };
  exec(namespace: string, pod: string, container: string | undefined, argv: readonly string[]): { readonly stdout: string; readonly stderr: string; readonly code: number };
  /** The node that a step means: its name, or its name without the cluster's prefix. */
  nodeNamed(name: string): string | undefined;
  nodeAction(node: string, action: string, taint: string | undefined): void;
  /** The volume that the claim is or was last bound to. */
  volumeOf(namespace: string, claim: string): string | undefined;
  /** The newest attachment of that volume. */
  attachmentOf(namespace: string, claim: string): string | undefined;
}
