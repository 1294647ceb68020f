import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { Env } from '../config/env.js';

const LEVELS: Readonly<Record<Env['logLevel'], LogLevel[]>> = {
  error: ['fatal', 'error'],
  warn: ['fatal', 'error', 'warn'],
  info: ['fatal', 'error', 'warn', 'log'],
  debug: ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'],
};

/* Members of logged objects and errors that may hold an address, a key or a secret. PostgreSQL puts values of a row into `detail` and `where`. */
const NEVER_IN_CLEAR = [
  'email',
  'emails',
  'api_key',
  'authorization',
  'token',
  'secret',
  'password',
  'detail',
  'where',
  'parameters',
];

/* What Nest tells of its own start: a line per module and route. */
const START_CHATTER = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/** Lines for people on a terminal, one JSON object a line everywhere else. */
export class ServiceLogger extends ConsoleLogger {
  constructor({ logLevel }: Pick<Env, 'logLevel'>, isTerminal: boolean) {
    super({
      json: !isTerminal,
      prefix: 'Mailsonde',
      colors: isTerminal,
      logLevels: LEVELS[logLevel],
      flattenParams: true,
      redact: NEVER_IN_CLEAR,
    });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    if (typeof context === 'string' && START_CHATTER.has(context)) this.debug(message, ...rest);
    else super.log(message, ...rest);
  }
}
