/** The parts of which talks are made. JavaScript, since the type check does not read `.astro` files. */
export { default as Build } from './Build.astro';
export { default as Notes } from './Notes.astro';
export { default as Step } from './Step.astro';
