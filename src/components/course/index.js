/** The parts of which lessons are made. JavaScript, since the type check does not read `.astro` files. */
export { default as Answer } from './Answer.astro';
export { default as At } from './At.astro';
export { default as Check } from './Check.astro';
export { default as Diagram } from './Diagram.astro';
export { default as Gap } from './Gap.astro';
export { default as Lab } from './Lab.astro';
export { default as Option } from './Option.astro';
export { default as Predict } from './Predict.astro';
export { default as Question } from './Question.astro';
export { default as Recorded } from './Recorded.astro';
export { default as Sources } from './Sources.astro';
export { default as Term } from './Term.astro';
export { default as Why } from './Why.astro';
