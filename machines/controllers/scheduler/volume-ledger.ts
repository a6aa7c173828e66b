/**
 * The CSI volumes that count against a node's limits: those of the claims its pods use, and those of its
 * VolumeAttachments (framework/plugins/nodevolumelimits/csi.go, v1.35; ref 3.6). Kept up to date claim by claim.
 */

/** A volume as the limit counts it: `driver/handle`, or for an unbound claim `driver/namespace/claim` of its class's provisioner. */
export interface CountedVolume {
  readonly driver: string;
  readonly id: string;
}

/** What a claim counts as now; undefined when it does not count (no such claim, no CSI volume, no class). */
export type Resolve = (claim: string) => CountedVolume | undefined;

interface UsedClaim {
  uses: number;
  volume: CountedVolume | undefined;
}

export class VolumeLedger {
  private readonly resolve: Resolve;
  private readonly claims: Map<string, UsedClaim>;
  /** Volume id → how many used claims stand for it. */
  private readonly used: Map<string, { readonly driver: string; claims: number }>;
  /** VolumeAttachment name → its volume. */
  private readonly attachments: Map<string, CountedVolume>;

  constructor(resolve: Resolve = () => undefined, from?: VolumeLedger) {
    this.resolve = resolve;
    this.claims = new Map([...(from?.claims ?? [])].map(([claim, entry]) => [claim, { ...entry }]));
    this.used = new Map([...(from?.used ?? [])].map(([id, entry]) => [id, { ...entry }]));
    this.attachments = new Map(from?.attachments);
  }

  clone(): VolumeLedger {
    return new VolumeLedger(this.resolve, this);
  }

  /** A pod that uses the claim came (1) or went (-1). */
  countClaim(claim: string, by: 1 | -1): void {
    const entry = this.claims.get(claim);
    if (entry) {
      entry.uses += by;
      if (entry.uses > 0) return;
      this.claims.delete(claim);
      this.countVolume(entry.volume, -1);
      return;
    }
    if (by < 0) return;
    const volume = this.resolve(claim);
    this.claims.set(claim, { uses: 1, volume });
    this.countVolume(volume, 1);
  }

  /** The claim or its volume changed: what it counts as is looked up anew. */
  refresh(claim: string): void {
    const entry = this.claims.get(claim);
    if (!entry) return;
    this.countVolume(entry.volume, -1);
    entry.volume = this.resolve(claim);
    this.countVolume(entry.volume, 1);
  }

  attach(attachment: string, volume: CountedVolume): void {
    this.attachments.set(attachment, volume);
  }
  detach(attachment: string): void {
    this.attachments.delete(attachment);
  }

  /** Whether a pod on the node uses the volume already. */
  uses(volume: CountedVolume): boolean {
    return this.used.has(volume.id);
  }

  /** Volumes of the driver in use by pods or attached. */
  count(driver: string): number {
    const ids = new Set<string>();
    for (const [id, entry] of this.used) if (entry.driver === driver) ids.add(id);
    for (const volume of this.attachments.values()) if (volume.driver === driver) ids.add(volume.id);
    return ids.size;
  }

  private countVolume(volume: CountedVolume | undefined, by: 1 | -1): void {
    if (!volume) return;
    const entry = this.used.get(volume.id) ?? { driver: volume.driver, claims: 0 };
    entry.claims += by;
    if (entry.claims > 0) this.used.set(volume.id, entry);
    else this.used.delete(volume.id);
  }
}
