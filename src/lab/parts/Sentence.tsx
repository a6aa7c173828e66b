/** The sentence of a step, in the page's language. */
import type { Lang } from '../../i18n/langs.ts';
import { stationText } from '../../i18n/stations.ts';
import type { Sentence } from '../../trace-view/sentence.ts';
import { clock } from '../../trace-view/times.ts';
import type { Say } from '../text.tsx';

export function saidBy(sentence: Sentence, lang: Lang, say: Say): string {
  const said = stateBy(sentence, lang, say);
  return sentence.silent === undefined ? said : said + say('say_silent', { node: sentence.silent.node, t: clock(sentence.silent.since) });
}

function stateBy(sentence: Sentence, lang: Lang, say: Say): string {
  const { key, params, held, list } = sentence;
  if (held !== undefined) {
    return say(key, {
      progress: held.progress === undefined ? '' : say(held.progress),
      station: stationText[lang][held.station],
      reason: say(held.why, params),
    });
  }
  if (list !== undefined) return say(key, { what: list.map((item) => say(item)).join(say('listSep')) });
  return say(key, params);
}
