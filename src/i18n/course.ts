/** The words around the lessons: predictions, checks, quotations, sources. */
import type { Lang } from './langs.ts';

export interface CourseText {
  readonly predictionTitle: string;
  readonly keptHere: string;
  readonly askRun: string;
  readonly askRunFirst: string;
  readonly runSays: string;
  /** Before the reader's own prediction, where the run went otherwise. */
  readonly youSaid: string;
  readonly theRun: string;
  readonly asYouSaid: string;
  /** Where an answer cannot be chosen, without script. */
  readonly givenAnswer: string;
  readonly seconds: string;
  /** Between two parts of a caption. */
  readonly sep: string;
  readonly checkTitle: string;
  readonly sourcesTitle: string;
  readonly diagramInWords: string;
  readonly diagramName: string;
  readonly scored: (right: number, all: number) => string;
  /** `recording missing-secret, run 1, record 107` */
  readonly place: (scenario: string, run: number, record: number) => string;
  readonly versions: (kubernetes: string, kind: string, hostpath: string) => string;
  readonly sidecars: (csi: Readonly<Record<string, string>>) => string;
  readonly recordings: (runs: number) => string;
  readonly firstGap: string;
  readonly done: string;
  readonly read: string;
  readonly lessonNamed: (lesson: number, title: string) => string;
}

const en: CourseText = {
  predictionTitle: 'First, your prediction',
  keptHere: 'Kept on this device.',
  askRun: 'Ask the run',
  askRunFirst: 'Choose first; then ask the run.',
  runSays: 'So it was in the run',
  youSaid: 'You said:',
  theRun: 'The run:',
  asYouSaid: 'As you said:',
  givenAnswer: 'The answer',
  seconds: 's',
  sep: ', ',
  checkTitle: 'Check',
  sourcesTitle: 'Versions and sources',
  diagramInWords: 'The diagram in words',
  diagramName: 'A diagram; the same in words follows.',
  scored: (right, all) => `${right} of ${all} right at the first try.`,
  place: (scenario, run, record) => `recording ${scenario}, run ${run}, record ${record}`,
  versions: (kubernetes, kind, hostpath) => `Recorded on Kubernetes ${kubernetes} (kind ${kind}), with ${hostpath} and this project’s zonal driver.`,
  sidecars: (csi) => `Sidecars: external-provisioner ${csi['external-provisioner'] ?? ''}, external-attacher ${csi['external-attacher'] ?? ''}, external-resizer ${csi['external-resizer'] ?? ''}, node-driver-registrar ${csi['node-driver-registrar'] ?? ''}.`,
  recordings: (runs) => (runs === 1 ? '1 run' : `${runs} runs`),
  firstGap: 'First gap: ',
  done: 'finished',
  read: 'begun',
  lessonNamed: (lesson, title) => `Lesson ${lesson}: ${title}`,
};

const zh: CourseText = {
  predictionTitle: '先猜一猜',
  keptHere: '只保存在这台设备上。',
  askRun: '看运行结果',
  askRunFirst: '先选一项，再看运行结果。',
  runSays: '运行结果就是这样',
  youSaid: '你猜的是：',
  theRun: '实际运行：',
  asYouSaid: '和你猜的一样：',
  givenAnswer: '答案',
  seconds: '秒',
  sep: '，',
  checkTitle: '自测',
  sourcesTitle: '版本与出处',
  diagramInWords: '用文字看这张图',
  diagramName: '示意图，文字说明在下面。',
  scored: (right, all) => `${all} 题中有 ${right} 题一次答对。`,
  place: (scenario, run, record) => `录制 ${scenario}，第 ${run} 次，第 ${record} 条`,
  versions: (kubernetes, kind, hostpath) => `录制环境：Kubernetes ${kubernetes}（kind ${kind}）、${hostpath}，以及本项目自带的可用区驱动。`,
  sidecars: (csi) => `sidecar：external-provisioner ${csi['external-provisioner'] ?? ''}、external-attacher ${csi['external-attacher'] ?? ''}、external-resizer ${csi['external-resizer'] ?? ''}、node-driver-registrar ${csi['node-driver-registrar'] ?? ''}。`,
  recordings: (runs) => `${runs} 次`,
  firstGap: '第一处缺口：',
  done: '已完成',
  read: '读过',
  lessonNamed: (lesson, title) => `第 ${lesson} 课：${title}`,
};

export const courseText: Readonly<Record<Lang, CourseText>> = { en, zh };
