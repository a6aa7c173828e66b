/** A damaged address or a file that is none of ours: what is wrong, and the way back. The lab below stays as it is. */
import type { ReactNode } from 'react';
import { useSay } from '../text.tsx';

export interface TroubleText {
  readonly title: string;
  readonly text: string;
}

export function Trouble({ trouble, onStart }: { readonly trouble: TroubleText; readonly onStart: () => void }): ReactNode {
  const say = useSay();
  return (
    <div className="trouble" role="alert">
      <p>
        <b>{trouble.title}</b>
      </p>
      <pre>{trouble.text}</pre>
      <button className="btn" type="button" onClick={onStart}>
        {say('toStart')}
      </button>
    </div>
  );
}
