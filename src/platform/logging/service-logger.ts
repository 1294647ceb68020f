import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import pc from 'picocolors';
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
      colors: isTerminal && pc.isColorSupported,
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

  /**
   * For a person: when, what and how long. Processes, rooms and ids are for who searches many lines.
   * @param rest process, level, room, time since the last line, parameters
   */
  protected override formatMessage(level: LogLevel, message: unknown, ...rest: unknown[]): string {
    const { ms, request_id: id } = (rest[4] ?? {}) as Record<string, unknown>;
    const time = pc.dim(new Date().toTimeString().slice(0, 'hh:mm:ss'.length));
    const word = level === 'log' ? '' : `${this.colorize(level, level)} `;
    // Of an error not its members, which may hold what a row held.
    const text = message instanceof Error ? message.stack : String(message);
    const took = typeof ms === 'number' ? ` (${ms} ms)` : '';
    const request = message instanceof Error && typeof id === 'string' ? ` (request ${id})` : '';
    return `${time} ${word}${text}${took}${request}\n`;
  }
}
