/** The parts of the lab that nobody sees before opening them; they load then, in one file. */
export { Compare } from './Compare.tsx';
export { Keys } from './Keys.tsx';
export { Sequence } from './Sequence.tsx';
export { StationPanel } from './StationPanel.tsx';
export { TextLine } from './TextLine.tsx';
