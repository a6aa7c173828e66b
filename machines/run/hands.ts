/** What the person's steps need beside the API server: kubectl's printers, processes inside containers, the nodes. */
import type { ExecOutcome, KubectlOutcome } from '../kubectl/common.ts';

export interface Hands {
  /** Runs a kubectl command line. One that waits (`rollout status`) lets virtual time pass itself. */
  kubectl(command: string, namespace: string): KubectlOutcome;
  exec(namespace: string, pod: string, container: string | undefined, argv: readonly string[]): ExecOutcome;
  /** The node that a step means: its name, or its name without the cluster's prefix. */
  nodeNamed(name: string): string | undefined;
  nodeAction(node: string, action: string, taint: string | undefined): void;
  /** The volume that the claim is or was last bound to. */
  volumeOf(namespace: string, claim: string): string | undefined;
  /** The newest attachment of that volume. */
  attachmentOf(namespace: string, claim: string): string | undefined;
}
