/** Messages inside the lab, and text with terminal words in it. */
import { createContext, useContext, type ReactNode } from 'react';
import type { MessageKey, Messages } from '../i18n/en.ts';
import { fill, pieces, type Params } from '../i18n/text.ts';

/** The words of the page's language. There is no default: a page loads one language only. */
export const MessagesContext = createContext<Messages | undefined>(undefined);

export type Say = (key: MessageKey, params?: Params) => string;

/** The function that fills in a message of the page's language. */
export function useSay(): Say {
  const messages = useContext(MessagesContext);
  if (messages === undefined) throw new Error('a part of the lab stands outside the lab');
  return (key, params) => fill(messages, key, params);
}

/** Text whose words between backticks are set as a terminal would show them. */
export function Rich({ text }: { readonly text: string }): ReactNode {
  return pieces(text).map((piece, i) => (i % 2 === 1 ? <code key={i}>{piece}</code> : piece));
}

export function Icon({ name, className }: { readonly name: string; readonly className?: string }): ReactNode {
  return (
    <svg className={className} aria-hidden="true">
      <use href={`#${name}`} />
    </svg>
  );
}
