/** The words of the pages around the lab. The lab's own words are in `en.ts` and `zh.ts`. */
import type { Lang } from './langs.ts';

export interface SiteText {
  readonly title: string;
  readonly lessons: string;
  readonly labs: string;
  readonly mainNav: string;
  readonly theme: string;
  readonly otherLanguage: string;
  readonly search: string;
  readonly searchHint: string;
  readonly searchNone: string;
  readonly searchMissing: string;
  readonly close: string;
  readonly previous: string;
  readonly next: string;
  readonly trueFor: string;
  readonly allLabs: string;
  labDescription(title: string): string;
  lessonOf(lesson: number, total: number): string;
  /** What stands before and behind the name of the station a lesson is about. */
  readonly atStation: readonly [string, string];
}

const en: SiteText = {
  title: 'After Bound',
  lessons: 'Lessons',
  labs: 'Lab',
  mainNav: 'Main',
  theme: 'Light or dark',
  otherLanguage: '中文',
  search: 'Search',
  searchHint: 'A word, a field, an event…',
  searchNone: 'Nothing found.',
  searchMissing: 'The search index could not be loaded. It is made by the build and is not there under astro dev.',
  close: 'Close',
  previous: 'Before this',
  next: 'Next',
  trueFor: 'True for Kubernetes v1.35.4 on kind v0.33.0, with csi-driver-host-path v1.18.0 and this project’s zonal driver.',
  allLabs: 'All labs',
  labDescription: (title) => `${title}: step through it, break it, compare it with the recordings of a real cluster.`,
  lessonOf: (lesson, total) => `Lesson ${lesson} of ${total}`,
  atStation: [', at the station ', ''],
};

const zh: SiteText = {
  title: 'Bound 之后',
  lessons: '课程',
  labs: '实验',
  mainNav: '主导航',
  theme: '切换明暗',
  otherLanguage: 'English',
  search: '搜索',
  searchHint: '一个词、一个字段、一条事件……',
  searchNone: '没有找到。',
  searchMissing: '搜索索引没有加载成功。索引在构建时生成，astro dev 下没有。',
  close: '关闭',
  previous: '上一课',
  next: '下一课',
  trueFor: '以上内容以 Kubernetes v1.35.4（kind v0.33.0）、csi-driver-host-path v1.18.0 和本项目自带的分区驱动为准。',
  allLabs: '全部实验',
  labDescription: (title) => `${title}：一步步看，动手弄坏，再对照真实集群的录制。`,
  lessonOf: (lesson, total) => `第 ${lesson} 课（共 ${total} 课）`,
  atStation: ['，', '站'],
};

export const siteText: Readonly<Record<Lang, SiteText>> = { en, zh };
