/** How large words may be on the stage. Sizes are those of a stage 1280 wide; everything else grows with it. */

/** How wide text runs, in Latin letters: a Chinese character takes two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += /[\u2E80-\uFFEF]/.test(character) ? 1.9 : 1;
  return width;
}

/** The scale of the sentence above a line: two lines of 52 px, else smaller, down to 34 px. */
export function sayScale(width: number, low: boolean): number {
  if (low) return width <= 50 ? 0.85 : width <= 112 ? 0.75 : 0.65;
  return width <= 82 ? 1 : width <= 140 ? 0.85 : width <= 190 ? 0.74 : 0.65;
}

/** The scale of a step of text. */
export function textScale(width: number): number {
  return width <= 120 ? 1 : width <= 260 ? 0.88 : width <= 420 ? 0.76 : 0.66;
}
