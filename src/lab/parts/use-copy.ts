/** Copying to the clipboard, and what its button says for a moment afterwards. */
import { useState } from 'react';

const SHOWN_MS = 1500;
/** Long enough to read that it did not work. */
const REFUSED_MS = 4000;

export type CopyOutcome = 'copied' | 'notCopied';

/** Copies a text. A browser may have no clipboard for this page, or refuse it: that is an outcome, not an error. */
export function useCopy(): { readonly outcome: CopyOutcome | undefined; readonly copy: (text: string) => void } {
  const [outcome, setOutcome] = useState<CopyOutcome>();
  const tell = (result: CopyOutcome, ms: number): void => {
    setOutcome(result);
    setTimeout(() => setOutcome(undefined), ms);
  };
  const copy = (text: string): void => {
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard === undefined) return tell('notCopied', REFUSED_MS);
    clipboard.writeText(text).then(
      () => tell('copied', SHOWN_MS),
      () => tell('notCopied', REFUSED_MS),
    );
  };
  return { outcome, copy };
}
