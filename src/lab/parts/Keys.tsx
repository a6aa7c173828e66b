/** The keys of the lab, in a dialog that `?` opens. */
import { useEffect, useRef, type ReactNode } from 'react';
import type { MessageKey } from '../../i18n/en.ts';
import { useSay } from '../text.tsx';

const KEYS: readonly (readonly [string, MessageKey])[] = [
  ['← →', 'key_arrows'],
  ['Space', 'key_space'],
  ['Home End', 'key_home'],
  ['E', 'key_e'],
  ['S', 'key_s'],
  ['U', 'key_u'],
  ['Esc', 'key_escape'],
  ['?', 'key_help'],
];

export function Keys({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }): ReactNode {
  const say = useSay();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && dialog.current?.open === false) dialog.current.showModal();
  }, [open]);
  if (!open) return null;
  return (
    <dialog ref={dialog} className="keys" aria-label={say('keyList')} onClose={onClose} onClick={(event) => event.target === dialog.current && dialog.current.close()}>
      <div className="inside">
      <h2 className="part-h">{say('keyList')}</h2>
      <dl>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{say(meaning)}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button className="btn" type="submit">
          {say('close')}
        </button>
      </form>
      </div>
    </dialog>
  );
}
