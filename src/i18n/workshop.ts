/** The words of workshops: the path, the task beside a lab, the facilitator's page. */
import type { FileFault } from '../workshop/progress.ts';
import type { Lang } from './langs.ts';

export interface WorkshopText {
  readonly workshops: string;
  readonly workshopsNote: string;
  readonly minutes: (n: number) => string;
  readonly tasks: (n: number) => string;
  readonly sep: string;
  readonly lesson: string;
  readonly lab: string;
  readonly task: string;
  readonly guide: string;
  readonly guideNote: string;
  readonly toPath: string;
  readonly passedOf: (n: number, of: number) => string;
  readonly passed: string;
  readonly passedBySolution: string;
  readonly tried: string;
  readonly yourName: string;
  readonly yourNameNote: string;
  readonly keptHere: string;
  readonly notKept: string;
  readonly exportFile: string;
  readonly importFile: string;
  readonly imported: (n: number) => string;
  readonly notImported: (file: string, why: string) => string;
  // The task beside a lab
  readonly taskOf: (title: string) => string;
  readonly atEnd: string;
  readonly holds: string;
  readonly holdsNot: string;
  readonly isPassed: string;
  readonly hint: (n: number, of: number) => string;
  readonly moreHint: string;
  readonly startAgain: string;
  readonly showSolution: string;
  readonly solutionShown: string;
  readonly nextPart: string;
  readonly leftBeginning: string;
  readonly notARun: string;
  readonly noSuchTask: (task: string) => string;
  readonly couldNotLoad: string;
  // The facilitator's page
  readonly whoPassed: string;
  readonly dropHere: string;
  readonly dropNote: string;
  readonly chooseFiles: string;
  readonly replaying: (n: number, of: number, file: string) => string;
  readonly stop: string;
  readonly stopped: (n: number, of: number) => string;
  readonly person: string;
  readonly outcome: Readonly<Record<'passed' | 'claimed' | 'tried' | 'untried' | 'late', string>>;
  readonly claimedNote: string;
  readonly lateNote: (seconds: number) => string;
  readonly hintsUsed: (n: number) => string;
  readonly withSolution: string;
  readonly cannotReplay: (why: string) => string;
  readonly refusedFiles: string;
  readonly moreRefused: (n: number) => string;
  readonly clear: string;
  readonly fault: (fault: FileFault) => string;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

const en: WorkshopText = {
  workshops: 'Workshops',
  workshopsNote: 'A path of lessons, labs and tasks for a team in one room. A task is passed by how your cluster stands in the end, not by which buttons you pressed.',
  minutes: (n) => `${n} min`,
  tasks: (n) => `${n} tasks`,
  sep: ', ',
  lesson: 'Lesson',
  lab: 'Lab',
  task: 'Task',
  guide: 'For the facilitator',
  guideNote: 'Timing, questions to ask, what goes wrong, and who has passed what.',
  toPath: 'Back to the workshop',
  passedOf: (n, of) => `${n} of ${of} tasks passed`,
  passed: 'passed',
  passedBySolution: 'passed after the worked solution',
  tried: 'tried',
  yourName: 'Your name',
  yourNameNote: 'Goes into the exported file and nowhere else.',
  keptHere: 'Your progress is kept in this browser.',
  notKept: 'This browser keeps nothing. Export your progress before you close the page.',
  exportFile: 'Export progress',
  importFile: 'Import progress…',
  imported: (n) => `Imported, ${n === 1 ? '1 task' : `${n} tasks`} passed in the file. What you had passed here stays passed.`,
  notImported: (file, why) => `${file} was not imported: ${why} Your progress here is unchanged.`,
  taskOf: (title) => `Task of the workshop “${title}”`,
  atEnd: 'At the end of your run:',
  holds: 'holds',
  holdsNot: 'does not hold yet',
  isPassed: 'Passed. Your cluster ends where the task wants it.',
  hint: (n, of) => `Hint ${n} of ${of}`,
  moreHint: 'Give me a hint',
  startAgain: 'Start the task again',
  showSolution: 'Play the worked solution',
  solutionShown: 'This is the worked solution, playing in the lab below.',
  nextPart: 'Next part',
  leftBeginning: 'You have undone what the task begins with. Start it again to go on.',
  notARun: 'A recording or an opened file is shown. The task is done in the simulated run.',
  noSuchTask: (task) => `There is no task “${task}” for this lab. Open it from its workshop.`,
  couldNotLoad: 'The task could not be loaded. Check the connection and load the page again.',
  whoPassed: 'Who has passed what',
  dropHere: 'Drop progress files here',
  dropNote: 'Any number of files. They stay in this browser; the actions in each are done again here, and what they reach is what counts.',
  chooseFiles: 'Choose files…',
  replaying: (n, of, file) => `Replaying file ${n} of ${of}: ${file}`,
  stop: 'Stop',
  stopped: (n, of) => `Stopped after ${n} of ${of} files.`,
  person: 'Who',
  outcome: { passed: 'passed', claimed: 'claimed, not reached', tried: 'not passed', untried: 'not tried', late: 'not finished' },
  claimedNote: 'The file says passed, but its actions do not reach it.',
  lateNote: (seconds) => `Doing this file’s actions again took more than ${seconds} s and was given up.`,
  hintsUsed: (n) => (n === 1 ? '1 hint' : `${n} hints`),
  withSolution: 'worked solution shown',
  cannotReplay: (why) => `The actions cannot be done: ${why}`,
  refusedFiles: 'Files not taken',
  moreRefused: (n) => `and ${n} more.`,
  clear: 'Clear the table',
  fault: (fault) => {
    switch (fault.what) {
      case 'unreadable':
        return 'it could not be read; a folder is no file.';
      case 'size':
        return `it has ${megabytes(fault.bytes)} MB, and a progress file has less than 1.`;
      case 'other':
        return 'it is no progress file of this site.';
      case 'cut':
        return 'it was cut off or damaged; export it again where it was made.';
      case 'version':
        return `it has version ${fault.got} of the format, and this site reads version 1.`;
      case 'workshop':
        return `it belongs to the workshop “${fault.got}”.`;
      case 'shape':
        return `its part “${fault.part}” is not what an export writes there.`;
    }
  },
};

const zh: WorkshopText = {
  workshops: '工作坊',
  workshopsNote: '给一屋子人用的路线：课程、实验、任务。任务过没过，看你的集群最后是什么样，不看你按了哪些按钮。',
  minutes: (n) => `${n} 分钟`,
  tasks: (n) => `${n} 个任务`,
  sep: '，',
  lesson: '课程',
  lab: '实验',
  task: '任务',
  guide: '给带队的人',
  guideNote: '时间怎么分、该问什么、哪里容易卡住，以及谁过了哪些任务。',
  toPath: '回到工作坊',
  passedOf: (n, of) => `${of} 个任务过了 ${n} 个`,
  passed: '已通过',
  passedBySolution: '看过参考解法后通过',
  tried: '试过',
  yourName: '你的名字',
  yourNameNote: '只写进导出的文件，不去别处。',
  keptHere: '进度保存在这个浏览器里。',
  notKept: '这个浏览器不保存数据。关页面之前，先把进度导出来。',
  exportFile: '导出进度',
  importFile: '导入进度……',
  imported: (n) => `已导入，文件里有 ${n} 个任务通过。你在这里已经通过的不会丢。`,
  notImported: (file, why) => `没有导入 ${file}：${why}这里的进度没有变。`,
  taskOf: (title) => `工作坊“${title}”的任务`,
  atEnd: '你这次运行结束时：',
  holds: '成立',
  holdsNot: '还不成立',
  isPassed: '通过了。集群最后正是任务要的样子。',
  hint: (n, of) => `提示 ${n}（共 ${of} 条）`,
  moreHint: '给我一条提示',
  startAgain: '重新开始这个任务',
  showSolution: '播放参考解法',
  solutionShown: '下面的实验里正在播放参考解法。',
  nextPart: '下一项',
  leftBeginning: '任务开头的状态被你撤销了。重新开始才能继续。',
  notARun: '现在看的是录制或打开的文件。任务要在模拟运行里做。',
  noSuchTask: (task) => `这个实验没有叫“${task}”的任务，请从工作坊里打开。`,
  couldNotLoad: '任务没有加载成功。检查一下网络，再刷新页面。',
  whoPassed: '谁过了哪些任务',
  dropHere: '把进度文件拖到这里',
  dropNote: '几份都行。文件不离开这个浏览器；每份文件里的操作会在这里重做一遍，重做的结果才算数。',
  chooseFiles: '选择文件……',
  replaying: (n, of, file) => `正在重做第 ${n} 份（共 ${of} 份）：${file}`,
  stop: '停下',
  stopped: (n, of) => `停下了，${of} 份文件看了 ${n} 份。`,
  person: '谁',
  outcome: { passed: '通过', claimed: '自称通过，没有做到', tried: '没有通过', untried: '没有做', late: '没有算完' },
  claimedNote: '文件里写着通过，可是里面的操作做不到。',
  lateNote: (seconds) => `重做这份文件的操作超过了 ${seconds} 秒，没有再算下去。`,
  hintsUsed: (n) => `用了 ${n} 条提示`,
  withSolution: '看过参考解法',
  cannotReplay: (why) => `操作没法重做：${why}`,
  refusedFiles: '没有收下的文件',
  moreRefused: (n) => `另外还有 ${n} 份。`,
  clear: '清空表格',
  fault: (fault) => {
    switch (fault.what) {
      case 'unreadable':
        return '它读不出来；文件夹不是文件。';
      case 'size':
        return `它有 ${megabytes(fault.bytes)} MB，进度文件不会超过 1 MB。`;
      case 'other':
        return '它不是本站的进度文件。';
      case 'cut':
        return '它被截断或损坏了，请在原来的浏览器里重新导出。';
      case 'version':
        return `它是第 ${fault.got} 版格式，本站读的是第 1 版。`;
      case 'workshop':
        return `它属于工作坊“${fault.got}”。`;
      case 'shape':
        return `其中“${fault.part}”这一部分不是导出时会写的内容。`;
    }
  },
};

export const workshopText: Readonly<Record<Lang, WorkshopText>> = { en, zh };
