/** The lab's words of a language, at build. */
import { en, type Messages } from '../i18n/en.ts';
import type { Lang } from '../i18n/langs.ts';
import { zh } from '../i18n/zh.ts';

export function messagesIn(lang: Lang): Messages {
  return lang === 'zh' ? zh : en;
}
