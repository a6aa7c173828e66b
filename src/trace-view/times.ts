/** Times of a run, as the site writes them. */

/** Seconds with millisecond precision: `0.803`. */
export function clock(seconds: number): string {
  return seconds.toFixed(3);
}

/** For an axis: as few digits as tell the place. */
export function tick(seconds: number): string {
  if (seconds < 0.01) return '0';
  if (seconds < 1) return seconds.toFixed(2);
  if (seconds < 60) return seconds.toFixed(1);
  return seconds.toFixed(0);
}
