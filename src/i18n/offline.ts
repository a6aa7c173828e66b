/** The words around the copy of the site that works without a network. */
import type { Lang } from './langs.ts';

export interface OfflineText {
  readonly preparing: string;
  readonly ready: string;
  readonly failed: string;
  readonly off: string;
  readonly denied: string;
  readonly make: string;
  readonly update: string;
  readonly updateNow: string;
  readonly later: string;
  readonly talkOpen: string;
  readonly fallbackTitle: string;
  readonly fallback: string;
}

const en: OfflineText = {
  preparing: 'Being made ready for offline use…',
  ready: 'Ready for offline use',
  failed: 'The offline copy could not be made.',
  off: 'Not kept for offline use, since this device saves data.',
  denied: 'This browser keeps nothing for this site: your progress lasts until you leave the page, and there is no offline copy.',
  make: 'Keep it',
  update: 'A new version of this site is here.',
  updateNow: 'Use it, and load this page again',
  later: 'Later',
  talkOpen: 'A talk is open in a window. The new version waits until it is closed.',
  fallbackTitle: 'Not without a network',
  fallback: 'This recording has not been opened before, so no copy of it is kept. Lessons, labs, talks and workshops work without a network.',
};

const zh: OfflineText = {
  preparing: '正在准备离线使用……',
  ready: '可离线使用',
  failed: '离线副本没有做成。',
  off: '这台设备开了省流量，没有保存离线副本。',
  denied: '这个浏览器不为本站保存任何数据：离开页面，进度就没了，也没有离线副本。',
  make: '保存',
  update: '本站有新版本。',
  updateNow: '换成新版本并刷新本页',
  later: '以后再说',
  talkOpen: '有窗口正在演讲。等它关了，再换新版本。',
  fallbackTitle: '没有网络，打不开',
  fallback: '这份录制以前没有打开过，本地没有副本。课程、实验、演讲、工作坊没有网络也能用。',
};

export const offlineText: Readonly<Record<Lang, OfflineText>> = { en, zh };
