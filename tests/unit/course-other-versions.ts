/**
 * Messages that lessons mention and no recording of theirs holds, each with why it may be mentioned: another version's
 * text, or a text of Kubernetes that this cluster was never brought to send.
 */
export const OTHER_VERSIONS: ReadonlyMap<string, string> = new Map([
  ['node(s) had volume node affinity conflict', 'Kubernetes before v1.33; v1.33 and later send the text quoted beside it'],
  ['timed out waiting for the condition', 'the end of the FailedMount that Kubernetes before v1.28 sends when the kubelet has waited 2 min 3 s'],
  ['driver name … not found in the list of registered CSI drivers', 'Kubernetes v1.35, pkg/volume/csi; the recorded cluster never lost a driver'],
  ['No space left on device', 'the text of ENOSPC; no recorded volume was filled'],
]);
