import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigurationError } from './configuration-error.js';

/**
 * Listens for a moment, so that a taken port is noticed before anything is started.
 * @throws ConfigurationError naming `PORT` or `HOST`.
 */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw portRefusal(host, port, error);
  }
  server.close();
  await once(server, 'close');
}

/** Explains in the words of the configuration why the service cannot listen there. @param prefix of the variables that say where */
export function portRefusal(
  host: string,
  port: number,
  error: unknown,
  prefix: '' | 'METRICS_' = '',
): ConfigurationError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new ConfigurationError(
      `${prefix}PORT`,
      String(port),
      `a port that nothing else listens on (${host}:${port} is taken)`,
    );
  }
  if (code === 'EACCES') {
    return new ConfigurationError(`${prefix}PORT`, String(port), 'a port that this user may listen on, such as 3000');
  }
  return new ConfigurationError(`${prefix}HOST`, host, `an address of this machine (${code})`);
}
