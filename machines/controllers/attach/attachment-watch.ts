/** Waiting for a VolumeAttachment to turn attached or to go (pkg/volume/csi/csi_attacher.go, v1.35; ref 5). */
import type { World } from '../../kernel/world.ts';
import type { VolumeAttachment } from '../../model/objects.ts';
import { timings } from '../../kernel/timings.ts';

/** A verdict on an attachment: done, failed with a text, or not yet. */
export type Verdict = 'done' | 'notYet' | { readonly error: string };

/**
 * verifyAttachmentStatus: an attachment that is being deleted fails at once; the driver's error is passed on verbatim. One
 * that is not there is waited for like one that is not attached yet (waitForVolumeAttachmentWithLister).
 * @recorded #attach-fails
 */
export function attachVerdict(attachment: VolumeAttachment | undefined): Verdict {
  if (!attachment) return 'notYet';
  if (attachment.metadata.deletionTimestamp !== undefined) return { error: 'volume attachment is being deleted' };
  if (attachment.status.attached) return 'done';
  return attachment.status.attachError ? { error: attachment.status.attachError.message } : 'notYet';
}

/** verifyDetachmentStatus: gone is done; the driver's error, also one of an earlier try, is a failure. @recorded #detach-fails */
export function detachVerdict(attachment: VolumeAttachment | undefined): Verdict {
  if (!attachment) return 'done';
  return attachment.status.detachError ? { error: attachment.status.detachError.message } : 'notYet';
}

/**
 * Looks at the attachment until the verdict is final: first after 0.5 s, then ever more slowly up to 7 s, each wait up to
 * 10 % longer by chance, two minutes in all. So no attach or detach takes less than half a second.
 * @recorded #immediate-happy, #attach-fails, #detach-fails
 */
export function waitForAttachment(
  world: World,
  name: string,
  verdict: (attachment: VolumeAttachment | undefined) => Verdict,
  timedOut: string,
  then: (error: string | undefined) => void,
): void {
  const end = world.clock.now + timings.attachTimeout;
  const look = (delay: number): void => {
    const at = world.clock.now + delay * (1 + world.random.next() * 0.1);
    world.clock.at(Math.min(at, end), () => {
      const found = verdict(world.api.get('VolumeAttachment', undefined, name));
      if (found === 'done') then(undefined);
      else if (found !== 'notYet') then(found.error);
      else if (world.clock.now >= end) then(timedOut);
      else look(Math.min(delay * 1.05, timings.attachLookMax));
    });
  };
  look(timings.attachFirstLook);
}
