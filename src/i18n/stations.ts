/** What the stations are called. */
import type { StationName } from '../trace-view/station-names.ts';
import type { Lang } from './langs.ts';

export const stationText: Readonly<Record<Lang, Readonly<Record<StationName, string>>>> = {
  en: {
    claim: 'claim', volume: 'volume', node: 'node', attached: 'attached', staged: 'staged',
    published: 'published', process: 'process', bytes: 'bytes', again: 'again',
  },
  zh: {
    claim: '申请', volume: '卷', node: '选点', attached: '附加', staged: '准备',
    published: '发布', process: '进程', bytes: '读写', again: '重建后',
  },
};
