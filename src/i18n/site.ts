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
  /** The page for an address that is not there: what it says, and what may have happened. */
  readonly notFound: string;
  readonly notFoundNote: string;
  readonly notFoundOffline: string;
  /** Above a lab that is shown without script. */
  readonly still: string;
  readonly close: string;
  readonly previous: string;
  readonly next: string;
  readonly trueFor: string;
  readonly allLabs: string;
  labDescription(title: string): string;
  allLabsNote(n: number): string;
  readonly aboutStation: readonly [string, string];
  recorded(n: number): string;
  readonly comma: string;
  readonly ignoredTitle: string;
  readonly ignoredNote: string;
  readonly ignoredWhat: string;
  readonly ignoredWhy: string;
  readonly ignoredLogs: string;
  readonly ignoredLogsNote: string;
  readonly modelledTitle: string;
  modelledNote(n: number): string;
  readonly allLessons: string;
  readonly allLessonsNote: string;
  readonly homeTitle: string;
  readonly homeSay: string;
  /** For the reader who comes with a pod that does not start. */
  readonly homeOnCall: string;
  readonly homeNote: string;
  readonly homeToLessons: string;
  readonly homeToLabs: string;
  readonly homeWhat: readonly (readonly [string, string])[];
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
  searchMissing: 'The search index could not be loaded. Without a network, search works once the foot of a page has said “Ready for offline use”. Under astro dev there is no index: the build makes it.',
  notFound: 'There is no page at this address',
  notFoundNote: 'It may have been cut off when it was copied, or the page has gone. From here you can go on:',
  notFoundOffline: 'There is no network at the moment. The pages kept on this device are those of the version that you last opened.',
  still: 'This lab is a still: one step of the run. Stepping, breaking and repairing need JavaScript.',
  close: 'Close',
  previous: 'Before this',
  next: 'Next',
  trueFor: 'True for Kubernetes v1.35.4 on kind v0.33.0, with csi-driver-host-path v1.18.0 and this project’s zonal driver.',
  allLabs: 'All labs',
  labDescription: (title) => `${title}: step through it, break it, compare it with the recordings of a real cluster.`,
  allLabsNote: (n) => `${n} scenarios, each recorded two or three times on a real cluster and simulated by the same rules. They stand under the station where they are held up, or where they end.`,
  aboutStation: ['', ''],
  recorded: (n) => `recorded ${n} times`,
  comma: ', ',
  ignoredTitle: 'What the comparison leaves out',
  ignoredNote: 'Every simulated run is held to the recordings of its scenario. What two recordings of one scenario do not share cannot be demanded of a simulation; this is the whole list, with the reason for each entry.',
  ignoredWhat: 'Left out',
  ignoredWhy: 'Because',
  ignoredLogs: 'Log lines that witness no state',
  ignoredLogsNote: 'Every recorded kind of log line is either mapped to the state it witnesses, or stands here with its reason.',
  modelledTitle: 'Modelled, not recorded',
  modelledNote: (n) => `${n} rules of the simulated cluster that no recording covers. They are written from the reference or from the Kubernetes source named beside them, and listed here from the code itself.`,
  allLessons: 'Lessons',
  allLessonsNote: 'From Bound to bytes. Each lesson stands around a lab that you break.',
  homeTitle: 'The claim says Bound. Where is my pod?',
  homeSay: 'A Kubernetes volume passes nine stations, from the claim to the bytes that the process reads back, and on to a rebuilt pod. `Bound` is the second. Here is a cluster that stopped at one of them. Break it, repair it, see what each station proves.',
  homeOnCall: 'A pod of your own is stuck? Find the first gap',
  homeNote: 'The cluster is simulated in your browser, and held to recordings of a real one: every event it shows is one that Kubernetes sends.',
  homeToLessons: 'Start with lesson 1',
  homeToLabs: 'All labs',
  homeWhat: [
    ['Lessons', 'From what Bound proves to the bytes that survive a node move, in English and Chinese.'],
    ['Labs', 'Every scenario can be stepped through, changed and compared with its recordings.'],
    ['Evidence', 'A station is lit by a field, an event or a log line. What was not tried says NOT RUN.'],
  ],
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
  searchMissing: '搜索索引没有加载成功。没有网络时，要等页脚出现过“可离线使用”，搜索才能用。索引在构建时生成，astro dev 下没有。',
  notFound: '这个地址没有页面',
  notFoundNote: '地址可能在复制时少了一截，也可能页面已经不在了。可以从这里继续：',
  notFoundOffline: '现在没有网络。这台设备上存着的，是你上次打开的那个版本的页面。',
  still: '没有 JavaScript，这里只是一张静止的图：整个运行中的一步。前进、弄坏、修复都需要 JavaScript。',
  close: '关闭',
  previous: '上一课',
  next: '下一课',
  trueFor: '以上内容以 Kubernetes v1.35.4（kind v0.33.0）、csi-driver-host-path v1.18.0 和本项目自带的可用区驱动为准。',
  allLabs: '全部实验',
  labDescription: (title) => `${title}：一步步看，动手弄坏，再对照真实集群的录制。`,
  allLabsNote: (n) => `共 ${n} 个场景，每个都在真实集群上录过两三次，也由同一套规则模拟出来。每个场景归在它卡住的那一站；没有卡住的，归在它走到的最后一站。`,
  aboutStation: ['“', '”这一站'],
  recorded: (n) => `录制 ${n} 次`,
  comma: '、',
  ignoredTitle: '对照时不比较的内容',
  ignoredNote: '每次模拟运行都要和同一场景的录制对照。两次录制之间本来就不同的，不能要求模拟也一样。全部列在这里，每条都有理由。',
  ignoredWhat: '不比较',
  ignoredWhy: '因为',
  ignoredLogs: '不见证任何状态的日志行',
  ignoredLogsNote: '录下的每一种日志行，要么对应它所见证的状态，要么列在这里并说明理由。理由照代码里的英文原样列出。',
  modelledTitle: '只是推演，没有录制',
  modelledNote: (n) => `模拟集群里有 ${n} 条规则没有录制可对照。它们依据参考资料或所注明的 Kubernetes 源码写成，这份清单直接从代码生成，说明保持代码里的英文原文。`,
  allLessons: '课程',
  allLessonsNote: '从 Bound 到字节。每一课都围着一个让你动手弄坏的实验。',
  homeTitle: 'PVC 已经 Bound，我的 Pod 卡在哪？',
  homeSay: '从 `Bound` 到进程读回字节，Kubernetes 的卷要过九站。眼前这个集群就停在其中一站。弄坏它，修好它，看清每一站到底证明了什么。',
  homeOnCall: '你自己的 Pod 卡住了？一问一答找缺口',
  homeNote: '集群在你的浏览器里模拟，并与真实集群的录制逐条对照：这里出现的每一条事件，都是 Kubernetes 真会发出的。',
  homeToLessons: '从第 1 课开始',
  homeToLabs: '全部实验',
  homeWhat: [
    ['课程', '从 Bound 证明了什么，讲到换了节点仍在的数据，中英双语。'],
    ['实验', '每个场景都能一步步看、动手改，再和录制对照。'],
    ['证据', '点亮一站的是一个字段、一条事件或一行日志。没试过的，就写“未执行”。'],
  ],
  lessonOf: (lesson, total) => `第 ${lesson} 课（共 ${total} 课）`,
  atStation: ['，“', '”这一站'],
};

export const siteText: Readonly<Record<Lang, SiteText>> = { en, zh };
