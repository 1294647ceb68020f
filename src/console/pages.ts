import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';

/** What Vite made of `web/`. */
const BUILT = join(CONFIG_DIRECTORY, '../dist/console');

/** A page runs what this service serves, and nothing else: no inline script or style, no other host, no frame around it. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** @param name such as `door.html` */
export function readPage(name: string): string {
  return readFileSync(join(BUILT, name), 'utf8');
}

/** @param name of a source, such as `mark`; gives where it is served, with its hash */
export function pageAsset(name: string): string {
  const file = readdirSync(join(BUILT, 'assets')).find((asset) => asset.startsWith(`${name}-`));
  if (file === undefined) throw new Error(`The build made no ${name}. Run "npm run build".`);
  return `/console/assets/${file}`;
}

/** Serves scripts, styles and images of the pages. Their names hold a hash of their contents, so a browser asks for each once. */
export function servePageAssets(app: NestFastifyApplication): void {
  app.useStaticAssets({
    root: join(BUILT, 'assets'),
    prefix: '/console/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    maxAge: '365d',
    immutable: true,
  });
}
