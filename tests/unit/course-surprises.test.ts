/** What surprises in the recordings is taught: each surprise has its lesson, and the lesson shows the records that prove it. */
import { describe, expect, it } from 'vitest';
import { readPairs } from '../../src/course/files.ts';
import { readPage } from '../../src/course/page.ts';

const SURPRISES: readonly { readonly what: string; readonly lesson: string; readonly proofs: readonly string[] }[] = [
  { what: 'a failed detach lets a second node try to attach; the driver is the last guard', lesson: 'attach-and-multi-attach', proofs: ['detach-fails/1#233', 'detach-fails/1#237'] },
  { what: 'two live processes on one ReadWriteOnce volume', lesson: 'attach-and-multi-attach', proofs: ['node-down/1#354', 'node-down/1#391'] },
  { what: 'the dead node’s pod prints 1/1 Terminating', lesson: 'attach-and-multi-attach', proofs: ['node-down/1#246'] },
  { what: 'a running pod collects FailedMount and keeps its old Secret', lesson: 'bound-not-started', proofs: ['secret-removed/1#458', 'secret-removed/1#460'] },
  { what: 'a finished pod gives up the attachment, not the claim', lesson: 'leaving', proofs: ['finished-pod/1#207', 'finished-pod/1#209'] },
  { what: 'a pod deleted normally ends Failed, exit code 137', lesson: 'three-rebuilds', proofs: ['pod-recreate/1#176'] },
  { what: 'the volume’s zone loses against the pod’s, with a green Bound', lesson: 'zones', proofs: ['zone-mismatch-immediate/1#78', 'zone-mismatch-immediate/1#82'] },
  { what: 'a claim for 1Gi takes the volume of 5Gi', lesson: 'what-bound-proves', proofs: ['static-volume/1#62'] },
  { what: 'a fitting volume made by hand waits for the claim’s next look', lesson: 'wait-for-first-consumer', proofs: ['static-no-match/1#28', 'static-no-match/1#56'] },
  { what: 'the attachment is gone, yet the deletion waits for its back-off', lesson: 'leaving', proofs: ['claim-recreate/1#268', 'claim-recreate/1#378'] },
  { what: 'attached at once, noticed after half a second, used after up to ten', lesson: 'attach-and-multi-attach', proofs: ['immediate-happy/1#88', 'immediate-happy/1#95', 'immediate-happy/1#112'] },
  { what: 'a pod back on its node gets no SuccessfulAttachVolume and waits all the same', lesson: 'three-rebuilds', proofs: ['pod-recreate/1#238', 'pod-recreate/1#253'] },
  { what: 'an RWOP claim is free when its holder has failed', lesson: 'access-modes', proofs: ['rwop-second-pod/1#177', 'rwop-second-pod/1#197', 'rwop-second-pod/1#253'] },
  { what: 'with a victim found FailedScheduling says nothing of preemption', lesson: 'access-modes', proofs: ['rwop-preemption/1#171'] },
  { what: '“bound and got unbound (by user?)” is a healthy line', lesson: 'what-bound-proves', proofs: ['immediate-happy/1#22'] },
  { what: 'a read-only mount shows rw at the end of its row', lesson: 'who-may-write', proofs: ['read-only-mount/1#273'] },
  { what: 'a wrong volumeMode fails before the attach is announced', lesson: 'leaving', proofs: ['block-as-filesystem/1#93', 'block-as-filesystem/1#96'] },
  { what: 'publish is retried after 0, 0.01, 1 and 5 seconds', lesson: 'who-does-what', proofs: ['attach-fails/1#101', 'attach-fails/1#103', 'attach-fails/1#119', 'attach-fails/1#172'] },
  { what: 'with Retain the provisioner takes its finalizer off at once', lesson: 'leaving', proofs: ['retain-released/1#283'] },
  { what: 'the first restart of a container comes without back-off or warning', lesson: 'three-rebuilds', proofs: ['container-restart/1#156', 'container-restart/1#169'] },
  { what: 'StatefulSet events say “success” beside “successful”', lesson: 'leaving', proofs: ['statefulset-templates/1#15', 'statefulset-templates/1#34'] },
];

describe('surprises of the recordings', () => {
  const pages = new Map(readPairs().map((pair) => [pair.slug, [readPage(pair.slug, pair.en), readPage(pair.slug, pair.zh)]]));

  it.each(SURPRISES)('$what: $lesson', ({ lesson, proofs }) => {
    for (const page of pages.get(lesson) ?? []) {
      const shown = page.parts.flatMap((part) => [part.attrs['of'], part.attrs['from'], part.attrs['to']]);
      for (const proof of proofs) expect(shown, page.slug).toContain(proof);
    }
    expect(pages.has(lesson)).toBe(true);
  });
});
