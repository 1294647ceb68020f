import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';

const ROOT = dirname(CONFIG_DIRECTORY);

/** Loads a built file of the package, wherever the caller was bundled to. @param path such as `dist/src/main.js` */
export function loadPackaged(path: string): Promise<unknown> {
  return import(pathToFileURL(join(ROOT, path)).href);
}

/** Below the mistake of a command line, whose whole help would hide it. */
export const HELP_HINT = '"--help" tells more.';

/** What a user has typed to get here: `mailsonde verify`, or `npm run verify --` in a checkout. */
export function programName(command: string, inCheckout = `npm run ${command} --`): string {
  const isInstalled = /^mailsonde(\.js)?$/.test(basename(process.argv[1] ?? ''));
  return isInstalled ? `mailsonde ${command}` : inCheckout;
}
