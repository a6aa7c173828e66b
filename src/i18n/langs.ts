/** The two languages of the site; each is also the first part of its pages' addresses. */
export const LANGS = ['en', 'zh'] as const;
export type Lang = (typeof LANGS)[number];

/** BCP 47 tags, for `lang` attributes. */
export const LANG_TAGS: Readonly<Record<Lang, string>> = { en: 'en', zh: 'zh-CN' };

export function otherLang(lang: Lang): Lang {
  return lang === 'en' ? 'zh' : 'en';
}
