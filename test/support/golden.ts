import { join } from 'node:path';

/** What the service said when `npm run golden` was last run; each file is compared by a test. */
export function goldenFile(name: string): string {
  return join(import.meta.dirname, '../contract/golden', name);
}

/** As it is kept: readable, and ended like any file. */
export function goldenText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
