/**
 * What a component's refusal comes down to: a code that the site has its own sentence for, and the names in it. The
 * component's text itself is always shown beside; where no pattern fits, it stands alone.
 */
export interface Reason {
  readonly code: ReasonCode;
  readonly params: Readonly<Record<string, string>>;
}

const PATTERNS = [
  { code: 'secretMissing', at: /secret "(?<name>[^"]+)" not found/ },
  { code: 'configMapMissing', at: /configmap "(?<name>[^"]+)" not found/ },
  { code: 'keyMissing', at: /references non-existent (?:config|secret) key: (?<key>\S+)/ },
  { code: 'keyMissing', at: /couldn't find key (?<key>\S+) in (?:ConfigMap|Secret)/ },
  { code: 'claimMissing', at: /persistentvolumeclaim "(?<name>[^"]+)" not found/ },
  { code: 'unboundClaims', at: /pod has unbound immediate PersistentVolumeClaims/ },
  { code: 'claimInUse', at: /ReadWriteOncePod access mode already in-use by another pod/ },
  { code: 'zoneConflict', at: /didn't match PersistentVolume's node affinity/ },
  { code: 'nothingToBind', at: /didn't find available persistent volumes to bind/ },
  { code: 'volumeLimit', at: /exceed max volume count/ },
  { code: 'provisionFailedAfterChoice', at: /running PreBind plugin "VolumeBinding": (?<text>.+)/ },
  { code: 'noNode', at: /(?<none>\d+)\/(?<all>\d+) nodes are available/ },
  { code: 'multiAttachPod', at: /Multi-Attach error .* already used by pod\(s\) (?<pods>.+)/ },
  { code: 'multiAttach', at: /Multi-Attach error/ },
  { code: 'volumeMode', at: /has volumeMode (?<mode>\w+), but is specified in (?<field>\w+)/ },
  { code: 'classMissing', at: /storageclass\.storage\.k8s\.io "(?<name>[^"]+)" not found/ },
  { code: 'noVolumeNoClass', at: /no persistent volumes available for this claim and no storage class is set/ },
  { code: 'waitsForProvisioner', at: /Waiting for a volume to be created either by the external provisioner '(?<name>[^']+)'/ },
  { code: 'claimLost', at: /Bound claim has lost its PersistentVolume/ },
  { code: 'misbound', at: /already bound to a different/i },
  { code: 'noDriverOnNode', at: /no topology key found for node (?<node>\S+)|driver name (?<driver>\S+) not found in the list of registered CSI drivers/ },
  { code: 'readOnly', at: /Read-only file system/ },
  { code: 'permission', at: /Permission denied/ },
  { code: 'rpc', at: /rpc error: code = (?<rpc>\w+) desc = (?<text>.+)/ },
] as const satisfies readonly { code: string; at: RegExp }[];

export type ReasonCode = (typeof PATTERNS)[number]['code'] | 'nodeConflict' | 'other';

/** What a refusal says, by the first pattern that fits. */
export function reasonOf(says: string): Reason {
  for (const { code, at } of PATTERNS) {
    const found = at.exec(says);
    if (found !== null) return { code, params: withoutGaps(found.groups) };
  }
  return { code: 'other', params: {} };
}

function withoutGaps(groups: Record<string, string | undefined> | undefined): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups ?? {})) if (value !== undefined) kept[name] = value;
  return kept;
}

/** The part of a refusal behind what every such message begins with: `secret "missing" not found`. */
export function shortSays(says: string): string {
  const behind = /^(?:MountVolume|AttachVolume|MapVolume|UnmountVolume)\.\w+ failed for volume "[^"]+" : (.+)$/s.exec(says)?.[1] ?? says;
  return behind.replace(/^rpc error: code = (\w+) desc = /, '$1: ').trim();
}
