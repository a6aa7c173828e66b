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
/** Who stands for a volume: used claims, and attachments. */
interface Uses {
  claims: number;
  attachments: number;
}

export class VolumeLedger {
  private readonly resolve: Resolve;
  private readonly claims: Map<string, UsedClaim>;
  private readonly volumes: Map<string, Uses>;
  /** Driver → volumes in `volumes`. */
  private readonly counts: Map<string, number>;
  /** VolumeAttachment name → its volume. */
  private readonly attachments: Map<string, CountedVolume>;

  constructor(resolve: Resolve = () => undefined, from?: VolumeLedger) {
    this.resolve = resolve;
    this.claims = new Map([...(from?.claims ?? [])].map(([claim, entry]) => [claim, { ...entry }]));
    this.volumes = new Map([...(from?.volumes ?? [])].map(([id, uses]) => [id, { ...uses }]));
    this.counts = new Map(from?.counts);
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
      this.count(entry.volume, 'claims', -1);
      return;
    }
    if (by < 0) return;
    const volume = this.resolve(claim);
    this.claims.set(claim, { uses: 1, volume });
    this.count(volume, 'claims', 1);
  }

  /** The claim or its volume changed: what it counts as is looked up anew. */
  refresh(claim: string): void {
    const entry = this.claims.get(claim);
    if (!entry) return;
    const volume = this.resolve(claim);
    if (volume === undefined || volume.id !== entry.volume?.id || volume.driver !== entry.volume.driver) {
      this.count(entry.volume, 'claims', -1);
      this.count(volume, 'claims', 1);
    }
    entry.volume = volume;
  }

  attach(attachment: string, volume: CountedVolume): void {
    this.detach(attachment);
    this.attachments.set(attachment, volume);
    this.count(volume, 'attachments', 1);
  }
  detach(attachment: string): void {
    this.count(this.attachments.get(attachment), 'attachments', -1);
    this.attachments.delete(attachment);
  }

  /** Whether a pod on the node uses the volume already. */
  uses(volume: CountedVolume): boolean {
    return (this.volumes.get(volume.id)?.claims ?? 0) > 0;
  }

  /** Volumes of the driver in use by pods or attached. */
  inUse(driver: string): number {
    return this.counts.get(driver) ?? 0;
  }

  private count(volume: CountedVolume | undefined, who: keyof Uses, by: 1 | -1): void {
    if (!volume) return;
    const known = this.volumes.get(volume.id);
    const uses = known ?? { claims: 0, attachments: 0 };
    uses[who] += by;
    const used = uses.claims + uses.attachments > 0;
    if (used) this.volumes.set(volume.id, uses);
    else this.volumes.delete(volume.id);
    const change = Number(used) - Number(known !== undefined);
    if (change !== 0) this.counts.set(volume.driver, this.inUse(volume.driver) + change);
  }
}
