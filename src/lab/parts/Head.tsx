/** The head of the lab: what run this is and how it stands to the recordings; link, save, open, keys. */
import { useEffect, useRef, type ReactNode } from 'react';
import { useSay } from '../text.tsx';
import { useCopy } from './use-copy.ts';

interface Props {
  readonly scenario: string;
  readonly provenance: string;
  /** Leaves a recording or a file for the simulated run. */
  readonly onBack: (() => void) | undefined;
  readonly link: () => string;
  readonly onSave: (what: SaveKind) => void;
  readonly onFile: (file: File) => void;
  readonly onKeys: () => void;
}
export type SaveKind = 'trace' | 'scenario' | 'manifests';

export function Head({ scenario, provenance, onBack, link, onSave, onFile, onKeys }: Props): ReactNode {
  const say = useSay();
  const { outcome, copy } = useCopy();
  return (
    <div className="lab-head">
      <b>{say('lab')}</b>
      <code>{scenario}</code>
      <span className="second">{provenance}</span>
      {onBack !== undefined && (
        <button className="link" type="button" onClick={onBack}>
          {say('backToSimulation')}
        </button>
      )}
      <span className="links">
        <button className="link" type="button" onClick={() => copy(link())}>
          {say(outcome ?? 'copyLink')}
        </button>
        <SaveMenu onSave={onSave} onFile={onFile} />
        <button className="link" type="button" onClick={onKeys}>
          {say('keys')}
        </button>
      </span>
    </div>
  );
}

function SaveMenu({ onSave, onFile }: Pick<Props, 'onSave' | 'onFile'>): ReactNode {
  const say = useSay();
  const input = useRef<HTMLInputElement>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const outside = (event: Event): void => {
      if (event.target instanceof Node && menu.current?.contains(event.target) === false) menu.current.removeAttribute('open');
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, []);
  const choose = (what: SaveKind): void => {
    menu.current?.removeAttribute('open');
    onSave(what);
  };
  return (
    <details
      className="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return;
        event.stopPropagation();
        event.nativeEvent.stopImmediatePropagation();
        menu.current.removeAttribute('open');
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <summary>{say('save')}</summary>
      <div>
        <button className="link" type="button" onClick={() => choose('trace')}>
          {say('saveTrace')}
        </button>
        <button className="link" type="button" onClick={() => choose('scenario')}>
          {say('saveScenario')}
        </button>
        <button className="link" type="button" onClick={() => choose('manifests')}>
          {say('saveManifests')}
        </button>
        <button className="link" type="button" onClick={() => input.current?.click()}>
          {say('openFile')}
        </button>
        <input
          ref={input}
          type="file"
          accept=".yaml,.yml,.json"
          hidden
          tabIndex={-1}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            event.currentTarget.value = '';
            menu.current?.removeAttribute('open');
            if (file !== undefined) onFile(file);
          }}
        />
      </div>
    </details>
  );
}
