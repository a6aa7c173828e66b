/** Addresses inside the site, with the base path it was built for. */
import { LANGS, type Lang } from '../i18n/langs.ts';

const root = import.meta.env.BASE_URL.replace(/\/$/, '');

/** The address of a page: `pagePath('en', 'labs/missing-secret')` is `/BASE/en/labs/missing-secret/`. */
export function pagePath(lang: Lang, path = ''): string {
  const clean = path.replace(/^\/|\/$/g, '');
  return clean === '' ? `${root}/${lang}/` : `${root}/${lang}/${clean}/`;
}

/** The address of a file that is the same for every language. */
export function filePath(path: string): string {
  return `${root}/${path.replace(/^\//, '')}`;
}

/** The part of an address behind the language: `lessons/what-bound-proves`. */
export function pathBehindLang(pathname: string): string {
  const inside = pathname.startsWith(root) ? pathname.slice(root.length) : pathname;
  return inside.replace(/^\//, '').replace(/\/$/, '').split('/').slice(1).join('/');
}

/** The language that a page's address names; English where it names none. */
export function langOf(locale: string | undefined): Lang {
  return LANGS.find((lang) => lang === locale) ?? 'en';
}

/** The language of a page by its address, for what is rendered before Starlight knows its page. */
export function langOfPath(pathname: string): Lang {
  const inside = pathname.startsWith(root) ? pathname.slice(root.length) : pathname;
  return langOf(inside.split('/').find((part) => part !== ''));
}
