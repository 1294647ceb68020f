import { ConsoleLogger, type LogLevel, Logger } from '@nestjs/common';
import pc from 'picocolors';
import { SYSTEM_TIMER } from '../clock.js';
import type { Env } from '../config/env.js';
import { TRACE } from './trace.js';

const LEVELS: Readonly<Record<Env['logLevel'], LogLevel[]>> = {
  error: ['fatal', 'error'],
  warn: ['fatal', 'error', 'warn'],
  info: ['fatal', 'error', 'warn', 'log'],
  debug: ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'],
};

/* Members of logged objects and errors that may hold an address, a key or a secret. PostgreSQL puts values of a row into `detail` and `where`. */
const NEVER_IN_CLEAR = 'email emails api_key authorization token secret password detail where parameters'.split(' ');

const MASKED: ReadonlySet<string> = new Set(NEVER_IN_CLEAR);

/* Contexts of Nest's own start, which logs a line per module and route. */
const START_CHATTER = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/** Linux keeps so many bytes together in a pipe that several processes write to (POSIX `PIPE_BUF`); lines of the access log are ASCII. */
const BLOCK_CHARACTERS = 4_096;
/** The longest time for which a line of the access log waits for others, and the loss when the process is killed. */
const BLOCK_MS = 50;

/**
 * Lines for people on a terminal, one JSON object a line everywhere else. There the lines of the access log are written in blocks, and
 * before any other line, so that all stand in their order; who ends the process calls `flush`.
 */
export class ServiceLogger extends ConsoleLogger {
  private block = '';

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
    // A person at a terminal watches requests, and reads no traces.
    const isChatter =
      typeof context === 'string' && (START_CHATTER.has(context) || (context === TRACE && !this.options.json));
    if (isChatter) this.debug(message, ...rest);
    else if (!this.writeRequestLine(message, rest)) super.log(message, ...rest);
  }

  /** Writes the lines that wait. */
  flush(): void {
    const { block } = this;
    this.block = '';
    if (block !== '') process.stdout.write(block);
  }

  protected override printAsJson(message: unknown, options: Parameters<ConsoleLogger['printAsJson']>[1]): void {
    if (options.context !== ACCESS && options.context !== TRACE) {
      this.flush();
      return super.printAsJson(message, options);
    }
    this.addLine(this.stringifyJsonLogObject(this.getJsonLogObject(message, options)));
  }

  /**
   * Writes a line of a request, of which there are two for each, as Nest would, without its walk through what may be in a line: these have
   * members that are texts and numbers, none of which is to be masked.
   * @returns false for a line of another kind
   */
  private writeRequestLine(message: unknown, rest: readonly unknown[]): boolean {
    const [members, context] = rest;
    if (rest.length !== 2 || (context !== ACCESS && context !== TRACE)) return false;
    if (!this.options.json || typeof message !== 'string' || typeof members !== 'object' || members === null)
      return false;
    if (!this.isLevelEnabled('log')) return true;
    const line: Record<string, unknown> = { level: 'log', pid: process.pid, timestamp: Date.now(), message, context };
    for (const [name, value] of Object.entries(members)) {
      if (MASKED.has(name) || name in line || !isPlainValue(value)) return false;
      line[name] = value;
    }
    this.addLine(JSON.stringify(line));
    return true;
  }

  private addLine(text: string): void {
    const line = `${text}\n`;
    if (this.block.length + line.length > BLOCK_CHARACTERS) this.flush();
    if (this.block === '') SYSTEM_TIMER.after(BLOCK_MS, () => this.flush());
    this.block += line;
  }

  /**
   * The line for a person: time, message and duration. Processes, contexts and ids are for searches through many lines.
   * @param rest process, level, context, time since the last line, parameters
   */
  protected override formatMessage(level: LogLevel, message: unknown, ...rest: unknown[]): string {
    const { ms, request_id: id } = (rest[4] ?? {}) as Record<string, unknown>;
    const time = pc.dim(new Date().toTimeString().slice(0, 'hh:mm:ss'.length));
    const word = level === 'log' ? '' : `${this.colorize(level, level)} `;
    // An error is logged without its members, which may hold values of a row.
    const text = message instanceof Error ? message.stack : String(message);
    const took = typeof ms === 'number' ? ` (${ms} ms)` : '';
    const request = message instanceof Error && typeof id === 'string' ? ` (request ${id})` : '';
    return `${time} ${word}${text}${took}${request}\n`;
  }
}

function isPlainValue(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** The logged members of a request, none of which reveals a verified address or the caller's network. */
export interface Access {
  readonly method: string;
  /** The route's pattern, such as `/api/v1/verify/batch/:id`; null where no route matched. */
  readonly route: string | null;
  readonly status: number;
  /** Whole milliseconds. */
  readonly ms: number;
  readonly request_id: string;
  readonly trace_id: string;
  readonly key_id: string | null;
  /** The caller left before the reply was complete. */
  readonly aborted: boolean;
}

/** The context that the log names in its lines. */
export const ACCESS = 'Access';

const PROBED_BY_MACHINES = new Set(['/healthz', '/readyz']);

/** Writes one line a request. */
export class AccessLog {
  private readonly logger = new Logger(ACCESS);

  write(access: Access): void {
    const text = `${access.method} ${access.route ?? '(no route)'} ${access.status}`;
    if (access.route !== null && PROBED_BY_MACHINES.has(access.route)) this.logger.debug(text, access);
    else this.logger.log(text, access);
  }
}
