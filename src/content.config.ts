import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';
import { STATIONS } from './trace-view/station-names.ts';

/** `en/what-bound-proves.mdx` is served as `/en/lessons/what-bound-proves/`. */
function lessonId({ entry }: { entry: string }): string {
  return entry.replace(/\.mdx?$/, '').replace(/^(en|zh)\//, '$1/lessons/');
}

export const collections = {
  docs: defineCollection({
    loader: glob({ base: './content/lessons', pattern: '{en,zh}/**/*.{md,mdx}', generateId: lessonId }),
    schema: docsSchema({
      extend: z.object({
        /** Place in the course, from 1. A page without a number is no lesson. */
        lesson: z.number().int().positive().optional(),
        /** The station the lesson is about. */
        station: z.enum(STATIONS).optional(),
        /** The scenarios whose recordings the page quotes. */
        recordings: z.array(z.string()).default([]),
        /** The version of the same page in the other language that this one was last compared with. */
        checkedAgainst: z.string().optional(),
      }),
    }),
  }),
  /** `en/after-bound.mdx` is served as `/en/talks/after-bound/`. */
  talks: defineCollection({
    loader: glob({ base: './content/talks', pattern: '{en,zh}/*.mdx' }),
    schema: z.strictObject({
      title: z.string(),
      description: z.string(),
      order: z.number().int().positive(),
      minutes: z.number().int().positive(),
      /** The version of the same talk in the other language that this one was last compared with. */
      checkedAgainst: z.string().optional(),
    }),
  }),
  /** `en/first-gap.mdx` is what a facilitator of the workshop `first-gap` reads. */
  guides: defineCollection({
    loader: glob({ base: './content/workshops', pattern: '{en,zh}/*.mdx' }),
    schema: z.strictObject({ title: z.string(), checkedAgainst: z.string().optional() }),
  }),
};
