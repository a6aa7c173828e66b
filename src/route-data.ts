import { defineRouteMiddleware } from '@astrojs/starlight/route-data';

/** The line and the lab take the whole width: no side bar and no table of contents beside them. */
export const onRequest = defineRouteMiddleware((context) => {
  const route = context.locals.starlightRoute;
  route.hasSidebar = false;
  route.toc = undefined;
});
