/** The labs that stand open on a page, for what works with them from outside: the talk view and a workshop's task. */
import { useEffect, useRef } from 'react';
import type { LabData, LabPaths } from './data.ts';
import type { LabState } from './state.ts';
import type { Run } from './use-run.ts';

export interface OpenLab {
  readonly data: LabData;
  readonly paths: LabPaths;
  readonly state: LabState;
  /** The run shown. */
  readonly run: Run;
  /** Is this the run that the state asks for? While it is computed the one before stays. */
  readonly ready: boolean;
  /** Puts the lab into a state; its run follows. */
  readonly show: (state: LabState) => void;
  readonly play: () => void;
  readonly element: HTMLElement | null;
}

const open = new Map<object, OpenLab>();
const listeners = new Set<() => void>();

/** All labs of the page, in the order of the page. */
export function openLabs(): OpenLab[] {
  return [...open.values()].sort((a, b) => (a.element !== null && b.element !== null && (a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 ? -1 : 1));
}

/** Calls back whenever a lab opens, changes or closes. Returns what ends that. */
export function onLabChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps a lab in the list while it is on the page. */
export function useOpenLab(lab: Omit<OpenLab, 'element'>, element: () => HTMLElement | null): void {
  const key = useRef({}).current;
  useEffect(() => {
    open.set(key, { ...lab, element: element() });
    for (const listener of listeners) listener();
  });
  useEffect(() => () => {
    open.delete(key);
    for (const listener of listeners) listener();
  }, [key]);
}
