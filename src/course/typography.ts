/** Typography of the prose: what a careful typesetter of each language would mark. */

export interface Blot {
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

interface Rule {
  readonly at: RegExp;
  readonly why: string;
}

const HAN = '\\u4e00-\\u9fff';

/** Inline code stands in the prose as `⌁`, so that spacing around it can be judged and its inside cannot. */
const CODE = '⌁';

const CHINESE: readonly Rule[] = [
  { at: new RegExp(`[${HAN}][A-Za-z0-9${CODE}]|[A-Za-z0-9${CODE}][${HAN}]`), why: 'a space belongs between Chinese and Latin' },
  { at: new RegExp(`[${HAN}][,;:?!()]|[,;:?!(][${HAN}]`), why: 'Chinese takes full-width punctuation' },
  { at: /[ \t][，。：；、（）！？”]|[，。：；、（“][ \t]/, why: 'no space beside a full-width mark' },
  { at: new RegExp(`[${HAN}] +[${HAN}]`), why: 'no space between Chinese letters' },
  { at: /[「」『』]/, why: 'quotation marks are “ ” here' },
  { at: new RegExp(`[${HAN}]\\.\\.\\.`), why: 'the ellipsis is ……' },
];

const ENGLISH: readonly Rule[] = [
  { at: new RegExp(`[${HAN}，。：；、（）]`), why: 'Chinese in an English page' },
  { at: /"/, why: 'quotation marks are “ ” here' },
  { at: /\S {2,}\S/, why: 'two spaces' },
  { at: / [,;:?!]/, why: 'no space before a mark' },
];

/** What is wrong in the prose of a page, its code, quotations and tags left out. */
export function blots(source: string, lang: 'en' | 'zh'): Blot[] {
  return proseLines(source, lang).flatMap(({ line, text }) =>
    (lang === 'zh' ? CHINESE : ENGLISH).flatMap((rule) => {
      const found = rule.at.exec(text);
      return found === null ? [] : [{ line, text: text.slice(Math.max(0, found.index - 12), found.index + 14), why: rule.why }];
    }),
  );
}

function proseLines(source: string, lang: 'en' | 'zh'): { line: number; text: string }[] {
  const blank = (text: string): string => text.replace(/[^\n]/g, '');
  return source
    .replace(/^```[\s\S]*?^```$/gm, blank)
    .replace(/^import .*$/gm, blank)
    .replace(/^(?:recordings|checkedAgainst|station|lesson): .*$/gm, blank)
    .replace(/`[^`\n]+`/g, CODE)
    // A time prints its unit: in Chinese it ends with a Chinese letter.
    .replace(/<At [^>]*>|<Gap [^>]*>/g, lang === 'zh' ? `${CODE} 秒` : CODE)
    .replace(/<[^>]*>/g, '\u200b')
    .replace(/\]\([^)]*\)/g, ']')
    .split('\n')
    .map((text, i) => ({ line: i + 1, text: text.replace(/\*\*/g, '').replace(/[[\]]/g, '') }));
}
