/** The words of the page's language, for the parts of a talk. */
import { createContext, useContext } from 'react';
import type { Lang } from '../i18n/langs.ts';
import { talkText, type TalkText } from '../i18n/talk.ts';

export const LangContext = createContext<Lang | undefined>(undefined);

export function useLang(): Lang {
  const lang = useContext(LangContext);
  if (lang === undefined) throw new Error('a part of the talk stands outside the talk');
  return lang;
}

export function useText(): TalkText {
  return talkText[useLang()];
}
