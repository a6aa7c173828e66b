/** The clock of the run and the buttons that move it. */
import type { ReactNode } from 'react';
import { clock } from '../../trace-view/times.ts';
import { Icon, useSay } from '../text.tsx';

const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

interface Props {
  readonly t: number;
  readonly step: number;
  readonly of: number;
  readonly playing: boolean;
  readonly speed: Speed;
  readonly onStep: (by: number) => void;
  readonly onPlay: () => void;
  readonly onSpeed: (speed: Speed) => void;
  /** Undefined where there is none after this step. */
  readonly onNextEvent: (() => void) | undefined;
  readonly onNextStation: (() => void) | undefined;
}

export function Controls(props: Props): ReactNode {
  const say = useSay();
  const { t, step, of, playing, speed } = props;
  return (
    <div className="time-top">
      <span className="clock">
        {clock(t)} <small>{say('seconds')}</small>
      </span>
      <span className="of">{say('stepOf', { n: step + 1, of })}</span>
      <span className="moves">
        <StepButtons {...props} />
      </span>
      <button className="btn" type="button" aria-pressed={playing} onClick={props.onPlay}>
        <Icon name={playing ? 'i-pause' : 'i-play'} />
        {say(playing ? 'pause' : 'play')}
      </button>
      <label className="speed">
        <span className="vh">{say('speed')}</span>
        <select value={speed} onChange={(event) => props.onSpeed(Number(event.currentTarget.value) as Speed)}>
          {SPEEDS.map((entry) => (
            <option key={entry} value={entry}>
              {entry}×
            </option>
          ))}
        </select>
      </label>
      <span className="jump">
        <button className="btn plain" type="button" aria-disabled={props.onNextEvent === undefined} onClick={props.onNextEvent}>
          {say('nextEvent')}
        </button>
        <button className="btn plain" type="button" aria-disabled={props.onNextStation === undefined} onClick={props.onNextStation}>
          {say('nextStation')}
        </button>
      </span>
    </div>
  );
}

function StepButtons({ step, of, onStep }: Pick<Props, 'step' | 'of' | 'onStep'>): ReactNode {
  const say = useSay();
  return (
    <>
      <button className="btn" type="button" aria-disabled={step === 0} onClick={() => step > 0 && onStep(-1)}>
        <Icon name="i-back" />
        {say('back')}
      </button>
      <button className="btn" type="button" aria-disabled={step >= of - 1} onClick={() => step < of - 1 && onStep(1)}>
        {say('step')}
        <Icon name="i-step" />
      </button>
    </>
  );
}

/** In a narrow lab Back and Step stay at the bottom edge while the lab is in view. */
export function Dock({ t, step, of, onStep }: Pick<Props, 't' | 'step' | 'of' | 'onStep'>): ReactNode {
  const say = useSay();
  return (
    <div className="dock">
      <button className="btn" type="button" aria-disabled={step === 0} onClick={() => step > 0 && onStep(-1)}>
        <Icon name="i-back" />
        {say('back')}
      </button>
      <p>
        <b>
          {clock(t)} {say('seconds')}
        </b>
        {say('stepOf', { n: step + 1, of })}
      </p>
      <button className="btn" type="button" aria-disabled={step >= of - 1} onClick={() => step < of - 1 && onStep(1)}>
        {say('step')}
        <Icon name="i-step" />
      </button>
    </div>
  );
}
