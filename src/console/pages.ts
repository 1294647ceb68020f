import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BUILT_PAGES } from '../platform/http/built-pages.js';

/** Serves scripts, styles and images of the pages. Their names hold a hash of their contents, so a browser asks for each once. */
export function servePageAssets(app: NestFastifyApplication): void {
  app.useStaticAssets({
    root: join(BUILT_PAGES, 'assets'),
    prefix: '/console/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    maxAge: '365d',
    immutable: true,
  });
}
