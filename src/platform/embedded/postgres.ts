import type { EmbeddedServer } from './embedded-server.js';

export function startPostgres(_dataDir: string, _log: (line: string) => void): Promise<EmbeddedServer> {
  throw new Error('Not built yet.');
}
