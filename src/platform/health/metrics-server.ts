import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ENV, type Env } from '../config/env.js';
import { Readiness } from './readiness.js';
import { portRefusal } from '../config/check-port.js';
import { Gauges } from '../metrics/gauges.js';
import { countProcess, PROCESS_METRICS } from '../metrics/metrics.js';

const MAX_CONNECTIONS = 64;
const MAX_HEADER_BYTES = 8_192;
/** The time that a request has to arrive, and a connection to say nothing. */
const ARRIVE_WITHIN_MS = 5_000;

const TEXT = 'text/plain; charset=utf-8';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * The port of metrics: `/metrics`, `/healthz` and `/readyz`, by GET alone, on loopback unless it is told otherwise. It is never the port of
 * callers, and it reads no body. Scrapes that come together share one reading. It is the last to close, so that a process which stops can
 * still be seen doing so.
 */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly server: Server;
  private isStopping = false;
  private reading: Promise<string> | null = null;

  constructor(
    private readonly gauges: Gauges,
    private readonly readiness: Readiness,
    @Inject(ENV) private readonly env: Env,
  ) {
    this.server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: ARRIVE_WITHIN_MS,
        requestTimeout: ARRIVE_WITHIN_MS,
        keepAliveTimeout: ARRIVE_WITHIN_MS,
        connectionsCheckingInterval: 1_000,
      },
      (request, response) => void this.serve(request, response),
    );
    this.server.maxConnections = MAX_CONNECTIONS;
  }

  /** The port that it listens on; null where `METRICS_PORT` is not set. */
  get port(): number | null {
    const address = this.server.address();
    return address !== null && typeof address === 'object' ? address.port : null;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort: port, metricsHost: host } = this.env;
    if (port === null) return;
    countProcess();
    this.server.listen({ port, host });
    try {
      await once(this.server, 'listening');
    } catch (error) {
      throw portRefusal(host, port, error, 'METRICS_');
    }
    // Nobody waits for the end of this server: the stop closes it.
    this.server.unref();
  }

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  beforeApplicationShutdown(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Bodies are not read: their connection ends with the reply.
    if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
      response.setHeader('Connection', 'close');
    const { status, type, body } = await this.answer(request);
    if (status === 405) response.setHeader('Allow', 'GET');
    response.writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(body);
  }

  private async answer({ method, url = '' }: IncomingMessage): Promise<Answer> {
    const [path] = url.split('?', 1);
    if (path !== '/metrics' && path !== '/healthz' && path !== '/readyz')
      return { status: 404, type: TEXT, body: 'There are /metrics, /healthz and /readyz.\n' };
    if (method !== 'GET') return { status: 405, type: TEXT, body: 'Only GET is answered here.\n' };
    if (path === '/healthz') return health(200, { status: 'alive' });
    if (path === '/readyz') return this.ready();
    return { status: 200, type: PROCESS_METRICS.contentType, body: await this.scrape() };
  }

  private async ready(): Promise<Answer> {
    const away = await this.readiness.away();
    if (away.length > 0) return health(503, { status: 'unavailable', away });
    return this.isStopping || this.readiness.isStopping
      ? health(503, { status: 'stopping' })
      : health(200, { status: 'ready' });
  }

  private scrape(): Promise<string> {
    this.reading ??= this.read().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async read(): Promise<string> {
    const [gauges, counted] = await Promise.all([this.gauges.text(), PROCESS_METRICS.metrics()]);
    return `${counted}\n${gauges}`;
  }
}

function health(status: number, body: object): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}
