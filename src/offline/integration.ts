/**
 * The service worker, made from the built site: every page, script and style, and what labs, talks and workshops fetch.
 * Recordings are left out for their size; those that a reader has opened are kept as they are opened.
 */
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { generateSW } from 'workbox-build';

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
          globPatterns: ['index.html', 'offline/index.html', '404.html', 'favicon.svg', '{en,zh}/**/*.html', '_astro/**/*.{js,css}', 'labs/*.json', 'workshops/*.json', 'recordings/keys.json', 'recordings/*/index.json'],
          // Names in _astro carry a hash of their content.
          dontCacheBustURLsMatching: /_astro\//,
          // How a page is looked at, not which page it is.
          ignoreURLParametersMatching: [/^view$/, /^task$/, /^utm_/],
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
          ],
        });
        for (const warning of warnings) logger.warn(warning);
        logger.info(`${count} files, ${(size / 1e6).toFixed(1)} MB, work without a network`);
      },
    },
  };
}
