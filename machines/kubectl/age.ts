/** Times as kubectl and the API server print them. Pure: "now" is always given, in milliseconds since the epoch. */
import type { Timestamp } from '../model/objects.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** What Go prints for a time that was never set (RFC 1123 with a numeric zone). */
const ZERO_TIME = 'Mon, 01 Jan 0001 00:00:00 +0000';

/**
 * A duration in milliseconds as kubectl prints ages: `12s`, `2m3s`, `51m`, `3h12m`, `2d4h`, `400d`.
 * Source: `HumanDuration`, k8s.io/apimachinery/pkg/util/duration, v1.35. A duration under -2 s is `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(milliseconds / MINUTE);
  if (minutes < 10) return joinUnits(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(milliseconds / HOUR);
  if (hours < 8) return joinUnits(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 24 * 8) return joinUnits(days, 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  if (hours < 24 * 365 * 8) return joinUnits(years, 'y', days % 365, 'd');
  return `${years}y`;
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** The age of a timestamp at `now`; `<unknown>` when it is not set. */
export function ageSince(timestamp: string | null | undefined, now: number): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') return '<unknown>';
  return humanDuration(now - Date.parse(timestamp));
}

/** `Mon, 30 Nov 2026 17:09:00 +0000`: a timestamp as describe prints it, in UTC. */
export function rfc1123(timestamp: Timestamp | null | undefined): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') return ZERO_TIME;
  const time = new Date(Date.parse(timestamp));
  const day = WEEKDAYS[time.getUTCDay()];
  const month = MONTHS[time.getUTCMonth()];
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(twoDigits).join(':');
  return `${day}, ${twoDigits(time.getUTCDate())} ${month} ${time.getUTCFullYear()} ${clock} +0000`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
