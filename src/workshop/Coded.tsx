/** Words between backticks as a terminal shows them. */
import type { ReactNode } from 'react';
import { pieces } from '../i18n/text.ts';

export function Coded({ text }: { readonly text: string }): ReactNode {
  return pieces(text).map((piece, i) => (i % 2 === 1 ? <code key={i}>{piece}</code> : piece));
}
