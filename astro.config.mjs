import { satteri } from '@astrojs/markdown-satteri';
import mdx from '@astrojs/mdx';
import react from '@astrojs/react';
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import { offline } from './src/offline/integration.ts';
import { focusablePre } from './src/site/focusable-pre.mjs';

/** Where the site stands on its host: `BASE_PATH=/after-bound npm run build` for a sub-path. */
const base = process.env.BASE_PATH ?? '/';

export default defineConfig({
  base,
  trailingSlash: 'ignore',
  devToolbar: { enabled: false },
  // Terminal text is shown as the terminal shows it: no colours, since colour means state here.
  markdown: { syntaxHighlight: false, processor: satteri({ hastPlugins: [focusablePre] }) },
  integrations: [
    starlight({
      title: { en: 'After Bound', 'zh-CN': 'Bound 之后' },
      defaultLocale: 'en',
      locales: { en: { label: 'English', lang: 'en' }, zh: { label: '中文', lang: 'zh-CN' } },
      customCss: ['./src/styles/tokens.css', './src/styles/site.css', './src/styles/lab.css', './src/styles/lab-parts.css', './src/styles/course.css'],
      expressiveCode: false,
      credits: false,
      routeMiddleware: './src/route-data.ts',
      favicon: '/favicon.svg',
      // One file answers every address that is not there: ours, in both languages.
      disable404Route: true,
      components: {
        ContentPanel: './src/components/shell/ContentPanel.astro',
        Footer: './src/components/shell/Footer.astro',
        Header: './src/components/shell/Header.astro',
        MarkdownContent: './src/components/shell/MarkdownContent.astro',
        PageFrame: './src/components/shell/PageFrame.astro',
        PageTitle: './src/components/shell/PageTitle.astro',
        ThemeProvider: './src/components/shell/ThemeProvider.astro',
        TwoColumnContent: './src/components/shell/TwoColumnContent.astro',
      },
    }),
    react(),
    mdx(),
    offline(),
  ],
});
