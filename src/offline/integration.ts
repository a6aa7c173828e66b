/**
 * The service worker, made from the built site: every page, script and style, and what labs, talks and workshops fetch.
 * Recordings are left out for their size; those that a reader has opened are kept as they are opened.
 */
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { generateSW } from 'workbox-build';

/** What a search fetches: under 1 MB. The search of this site brings its own dialog, so Pagefind's user interfaces stay out. */
const SEARCH = ['pagefind/{pagefind,pagefind-worker}.js', 'pagefind/pagefind-entry.json', 'pagefind/*.{pf_meta,pagefind}', 'pagefind/{index,fragment,filter}/*'];

/** Must stand last among the integrations: it keeps what the others have made. */
export function offline(): AstroIntegration {
  return {
    name: 'after-bound:offline',
    hooks: {
      'astro:build:done': async ({ dir, logger }) => {
        const folder = fileURLToPath(dir);
        const { count, size, warnings } = await generateSW({
          globDirectory: folder,
          swDest: `${folder}sw.js`,
          globPatterns: ['index.html', 'offline/index.html', '404.html', 'favicon.svg', '{en,zh}/**/*.html', '_astro/**/*.{js,css}', 'labs/*.json', 'workshops/*.json', 'recordings/keys.json', 'recordings/*/index.json', ...SEARCH],
          // Names in _astro carry a hash of their content.
          dontCacheBustURLsMatching: /_astro\//,
          // How a page is looked at, not which page it is.
          // `ts` is how the search tells a new index from the one that the browser kept.
          ignoreURLParametersMatching: [/^view$/, /^task$/, /^utm_/, /^ts$/],
          // A new version waits until its reader asks for it, or every window of the old one is closed.
          skipWaiting: false,
          clientsClaim: true,
          cleanupOutdatedCaches: true,
          inlineWorkboxRuntime: true,
          sourcemap: false,
          runtimeCaching: [
            {
              // This function is written into the worker: it sees nothing but its arguments.
              urlPattern: ({ request, url }) => request.mode === 'navigate' && url.pathname.includes('/recordings/'),
              handler: 'NetworkFirst',
              options: { cacheName: 'recordings', expiration: { maxEntries: 40 }, precacheFallback: { fallbackURL: 'offline/index.html' } },
            },
            {
              urlPattern: ({ request, url }) => request.mode !== 'navigate' && /\/recordings\/[^/]+\/\d+\.json$/.test(url.pathname),
              handler: 'NetworkFirst',
              options: { cacheName: 'recordings-data', expiration: { maxEntries: 40 } },
            },
            {
              // An address that is not among the kept pages: without a network our own page says so, not the browser's.
              urlPattern: ({ request }) => request.mode === 'navigate',
              handler: 'NetworkOnly',
              options: { precacheFallback: { fallbackURL: '404.html' } },
            },
          ],
        });
        for (const warning of warnings) logger.warn(warning);
        logger.info(`${count} files, ${(size / 1e6).toFixed(1)} MB, work without a network`);
      },
    },
  };
}
