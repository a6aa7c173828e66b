/** The words of the talk view, of the presenter's window and of the pages of talks. */
import type { VolumeKind } from '../trace-view/pod-volumes.ts';
import type { Lang } from './langs.ts';

export interface TalkText {
  readonly talks: string;
  readonly talksNote: string;
  readonly sep: string;
  readonly minutes: (n: number) => string;
  readonly stepsInAll: (n: number) => string;
  readonly start: string;
  readonly startNote: string;
  readonly print: string;
  readonly printNotes: string;
  readonly fromLesson: string;
  readonly fromLab: string;
  readonly notes: string;
  readonly noNotes: string;
  readonly stage: string;
  readonly onStage: string;
  readonly next: string;
  readonly lastStep: string;
  readonly stepOf: (n: number, of: number) => string;
  readonly seconds: string;
  readonly from: string;
  readonly elapsed: string;
  readonly restartClock: string;
  readonly clock: string;
  readonly black: string;
  readonly blackNow: string;
  readonly lookAhead: string;
  readonly looking: (stage: number) => string;
  readonly showThis: string;
  readonly backToStage: string;
  readonly goBack: string;
  readonly goOn: string;
  readonly runBack: string;
  readonly runOn: string;
  readonly undo: string;
  readonly asPlanned: string;
  readonly offers: string;
  readonly noOffers: string;
  readonly openStation: string;
  readonly openObject: string;
  readonly openPanel: string;
  readonly nothingOpen: string;
  readonly pod: string;
  readonly lastPod: string;
  readonly changed: string;
  readonly computing: string;
  readonly failed: (why: string) => string;
  readonly couldNotLoad: string;
  readonly popupBlocked: string;
  readonly keysTitle: string;
  readonly keys: readonly (readonly [string, string])[];
  readonly close: string;
  readonly more: (n: number) => string;
  readonly jump: (digits: string) => string;
  readonly plan: string;
  readonly nothingPrinted: string;
  readonly question: string;
  readonly answer: string;
  /** What a volume of a pod is, behind its name. */
  readonly kinds: Readonly<Record<VolumeKind, string>>;
  /** What a change of the run is called, after it was made. */
  readonly did: {
    readonly left: (kind: string, name: string) => string;
    readonly made: (kind: string, name: string) => string;
    readonly zone: (zone: string) => string;
    readonly anywhere: string;
    readonly field: (name: string, value: string) => string;
    readonly fails: (method: string) => string;
    readonly works: (method: string) => string;
    readonly second: string;
    readonly recreated: (value: string) => string;
    readonly deleted: (target: string) => string;
    readonly tainted: (node: string) => string;
    readonly untainted: (node: string) => string;
    readonly silenced: (node: string) => string;
    readonly woken: (node: string) => string;
    readonly wrote: string;
    readonly looked: string;
    readonly waited: (seconds: number) => string;
  };
}

const en: TalkText = {
  talks: 'Talks',
  talksNote: 'Step through the line on a stage: one idea a step, a presenter’s window with notes, and a cluster that can be broken in front of everyone. Every lesson and every lab has a talk view too.',
  sep: ', ',
  minutes: (n) => `${n} minutes`,
  stepsInAll: (n) => `${n} steps`,
  start: 'Start the talk',
  startNote: 'Opens full screen. P opens the presenter’s window, ? lists the keys.',
  print: 'Print or save as PDF',
  printNotes: 'with the notes',
  fromLesson: 'Talk view',
  fromLab: 'Talk view',
  notes: 'Notes',
  noNotes: 'No notes for this step.',
  stage: 'Talk',
  onStage: 'On the stage',
  next: 'Next',
  lastStep: 'This is the last step.',
  stepOf: (n, of) => `step ${n} of ${of}`,
  seconds: 's',
  from: 'from',
  elapsed: 'elapsed',
  restartClock: 'Start again from 0',
  clock: 'time',
  black: 'Black',
  blackNow: 'The stage is black.',
  lookAhead: 'Look ahead',
  looking: (stage) => `You look ahead. The audience still sees step ${stage}.`,
  showThis: 'Show this',
  backToStage: 'Back to the stage',
  goBack: 'Back',
  goOn: 'Next',
  runBack: 'Run: back',
  runOn: 'Run: on',
  undo: 'Undo',
  asPlanned: 'As planned',
  offers: 'Break it, repair it',
  noOffers: 'Nothing to break at this step.',
  openStation: 'Station',
  openObject: 'Object',
  openPanel: 'View',
  nothingOpen: 'none',
  pod: 'Pod',
  lastPod: 'the newest',
  changed: 'Changed:',
  computing: 'The run is being computed…',
  failed: (why) => `This cannot be run: ${why}`,
  couldNotLoad: 'The lab of this step could not be loaded. Check the connection, then go on and come back.',
  popupBlocked: 'The browser did not open the presenter’s window. Allow pop-ups for this page, or open this address in a second window:',
  keysTitle: 'Keys of the talk',
  keys: [
    ['→ ↓ Space PageDown', 'on'],
    ['← ↑ PageUp', 'back'],
    ['Home End', 'first step, last step'],
    ['1 2 … Enter', 'to that step'],
    ['B .', 'black, and back'],
    ['P', 'presenter’s window'],
    ['L', 'look ahead (presenter); Enter shows it'],
    ['[ ]', 'the run one step back, one on'],
    ['U', 'undo the last change'],
    ['F', 'full screen'],
    ['Esc', 'leave'],
  ],
  close: 'Close',
  more: (n) => (n === 1 ? '… 1 more line' : `… ${n} more lines`),
  jump: (digits) => `to step ${digits}`,
  plan: 'What the scheduler asks each node',
  nothingPrinted: 'No command has printed anything yet.',
  question: 'Your prediction?',
  answer: 'So it was in the run',
  kinds: { claim: 'the claim', secret: 'a Secret', configMap: 'a ConfigMap', projected: 'projected', emptyDir: 'an emptyDir', hostPath: 'a hostPath', csi: 'inline', other: 'another volume' },
  did: {
    left: (kind, name) => `${kind} ${name} left out`,
    made: (kind, name) => `${kind} ${name} created`,
    zone: (zone) => `pod only in ${zone}`,
    anywhere: 'pod may go anywhere',
    field: (name, value) => `${name} is ${value}`,
    fails: (method) => `${method} fails`,
    works: (method) => `${method} works again`,
    second: 'second pod',
    recreated: (value) => `re-created with ${value}`,
    deleted: (target) => `${target} deleted`,
    tainted: (node) => `${node} tainted`,
    untainted: (node) => `${node} untainted`,
    silenced: (node) => `${node} silent`,
    woken: (node) => `${node} awake`,
    wrote: 'wrote and read a file',
    looked: 'looked at mountinfo',
    waited: (seconds) => `${seconds} s passed`,
  },
};

const zh: TalkText = {
  talks: '演讲',
  talksNote: '把这条线搬上台：一步只讲一件事，讲者窗口里有备注，台上的集群可以当场弄坏。每一课、每个实验也都能直接用演讲模式打开。',
  sep: '，',
  minutes: (n) => `${n} 分钟`,
  stepsInAll: (n) => `共 ${n} 步`,
  start: '开始演讲',
  startNote: '全屏打开。按 P 打开讲者窗口，按 ? 看全部按键。',
  print: '打印或存为 PDF',
  printNotes: '带备注',
  fromLesson: '演讲模式',
  fromLab: '演讲模式',
  notes: '备注',
  noNotes: '这一步没有备注。',
  stage: '演讲',
  onStage: '台上',
  next: '下一步',
  lastStep: '这是最后一步。',
  stepOf: (n, of) => `第 ${n} 步，共 ${of} 步`,
  seconds: '秒',
  from: '来自',
  elapsed: '已讲',
  restartClock: '从 0 重新计时',
  clock: '现在',
  black: '黑屏',
  blackNow: '台上已黑屏。',
  lookAhead: '预览后面',
  looking: (stage) => `正在预览，听众看到的仍是第 ${stage} 步。`,
  showThis: '就放这一步',
  backToStage: '回到台上这一步',
  goBack: '上一步',
  goOn: '下一步',
  runBack: '运行后退',
  runOn: '运行前进',
  undo: '撤销',
  asPlanned: '恢复原计划',
  offers: '弄坏它，修好它',
  noOffers: '这一步没有可以弄坏的东西。',
  openStation: '站',
  openObject: '对象',
  openPanel: '视图',
  nothingOpen: '不打开',
  pod: 'Pod',
  lastPod: '最新的',
  changed: '已改动：',
  computing: '正在计算这次运行……',
  failed: (why) => `这个改动没法运行：${why}`,
  couldNotLoad: '这一步的实验没有加载成功。检查一下网络，翻到下一步再翻回来。',
  popupBlocked: '浏览器没有打开讲者窗口。请允许本页弹出窗口，或者在另一个窗口里打开这个地址：',
  keysTitle: '演讲按键',
  keys: [
    ['→ ↓ 空格 PageDown', '前进'],
    ['← ↑ PageUp', '后退'],
    ['Home End', '第一步、最后一步'],
    ['1 2 … Enter', '跳到这一步'],
    ['B .', '黑屏，再按恢复'],
    ['P', '讲者窗口'],
    ['L', '预览后面（讲者窗口），Enter 放出来'],
    ['[ ]', '运行后退、前进一步'],
    ['U', '撤销上一个改动'],
    ['F', '全屏'],
    ['Esc', '退出'],
  ],
  close: '关闭',
  more: (n) => `…… 还有 ${n} 行`,
  jump: (digits) => `跳到第 ${digits} 步`,
  plan: '调度器逐个问节点的问题',
  nothingPrinted: '还没有命令打印过东西。',
  question: '先猜一猜',
  answer: '运行结果就是这样',
  kinds: { claim: 'PVC 的卷', secret: 'Secret', configMap: 'ConfigMap', projected: 'projected', emptyDir: 'emptyDir', hostPath: 'hostPath', csi: '内联卷', other: '其他卷' },
  did: {
    left: (kind, name) => `没有 ${kind} ${name}`,
    made: (kind, name) => `建了 ${kind} ${name}`,
    zone: (zone) => `Pod 只能去 ${zone}`,
    anywhere: 'Pod 哪里都能去',
    field: (name, value) => `${name} 改为 ${value}`,
    fails: (method) => `${method} 失败`,
    works: (method) => `${method} 恢复`,
    second: '第二个 Pod',
    recreated: (value) => `用 ${value} 重建`,
    deleted: (target) => `删了 ${target}`,
    tainted: (node) => `${node} 打了污点`,
    untainted: (node) => `${node} 去了污点`,
    silenced: (node) => `${node} 失联`,
    woken: (node) => `${node} 恢复`,
    wrote: '写了文件又读回来',
    looked: '看了 mountinfo',
    waited: (seconds) => `又过了 ${seconds} 秒`,
  },
};

export const talkText: Readonly<Record<Lang, TalkText>> = { en, zh };
