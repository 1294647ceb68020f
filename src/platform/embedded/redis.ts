import type { EmbeddedServer } from './embedded-server.js';

export function startRedis(_dataDir: string, _log: (line: string) => void): Promise<EmbeddedServer> {
  throw new Error('Not built yet.');
}
