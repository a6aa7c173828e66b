/** A part that loads when it is first shown. Where it cannot be loaded a sentence stands in its place, and the lab lives on. */
import { createElement, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { useSay } from '../text.tsx';
import type * as opened from './opened.ts';

export function lazyPart<P extends object>(pick: (parts: typeof opened) => ComponentType<P>): ComponentType<P> {
  const Part = lazy<ComponentType<P>>(() =>
    import('./opened.ts').then(
      (parts) => ({ default: pick(parts) }),
      () => ({ default: NotLoaded as ComponentType<P> }),
    ),
  );
  return function LazyPart(props: P): ReactNode {
    return (
      <Suspense fallback={null}>
        {createElement(Part, props)}
      </Suspense>
    );
  };
}

function NotLoaded(): ReactNode {
  return <p className="same">{useSay()('partNotLoaded')}</p>;
}
