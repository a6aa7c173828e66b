/** Where the parts of a workshop are. */
import type { PartData } from './data.ts';

/** Folders of the site in the page's language, and of its files; each with a slash at its end. */
export interface Addresses {
  readonly lessons: string;
  readonly labs: string;
  readonly workshops: string;
  readonly workshopFiles: string;
  readonly labFiles: string;
}

export function partAddress(part: PartData, workshop: string, addresses: Addresses): string {
  switch (part.kind) {
    case 'lesson':
      return `${addresses.lessons}${part.lesson}/`;
    case 'lab':
      return `${addresses.labs}${part.lab}/`;
    case 'task':
      return `${addresses.labs}${part.lab}/?task=${workshop}/${part.task}`;
  }
}
