/** Playing a run: one step after the other, long waits shortened. Nothing plays until the reader asks. */
import { useCallback, useEffect, useState } from 'react';
import type { TraceStep } from '../trace-view/steps.ts';

/** Bounds of the pause before a step at speed 1, milliseconds: quick enough not to bore, slow enough to be seen. */
const SHORTEST = 260;
const LONGEST = 1400;

export interface Player {
  readonly playing: boolean;
  readonly toggle: () => void;
  readonly stop: () => void;
}

export function usePlayer(all: readonly TraceStep[], step: number, speed: number, goTo: (step: number) => void): Player {
  const [playing, setPlaying] = useState(false);
  const ended = step >= all.length - 1;
  useEffect(() => {
    if (!playing) return undefined;
    if (ended) {
      setPlaying(false);
      return undefined;
    }
    const gap = ((all[step + 1]?.t ?? 0) - (all[step]?.t ?? 0)) * 1000;
    const timer = setTimeout(() => goTo(step + 1), Math.min(LONGEST, Math.max(SHORTEST, gap)) / speed);
    return () => clearTimeout(timer);
  }, [playing, ended, step, speed, all, goTo]);
  const stop = useCallback(() => setPlaying(false), []);
  const toggle = useCallback(() => {
    if (!playing && ended) goTo(0);
    setPlaying(!playing);
  }, [playing, ended, goTo]);
  return { playing, toggle, stop };
}
