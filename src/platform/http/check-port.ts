import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigurationError } from '../config/configuration-error.js';

/**
 * Listens for a moment, so that a port that is taken is known before anything is started.
 * @throws ConfigurationError naming `PORT` or `HOST`.
 */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw refusal(host, port, (error as NodeJS.ErrnoException).code);
  }
  server.close();
  await once(server, 'close');
}

function refusal(host: string, port: number, code = 'unknown'): ConfigurationError {
  if (code === 'EADDRINUSE') {
    return new ConfigurationError(
      'PORT',
      String(port),
      `a port that nothing else listens on (${host}:${port} is taken)`,
    );
  }
  if (code === 'EACCES') {
    return new ConfigurationError('PORT', String(port), 'a port that this user may listen on, such as 3000');
  }
  return new ConfigurationError('HOST', host, `an address of this machine (${code})`);
}
