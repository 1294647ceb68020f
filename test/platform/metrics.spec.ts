import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Gauges } from '../../src/platform/metrics/gauges.js';
import { MetricsServer } from '../../src/platform/health/metrics-server.js';
import { scrape as scrapeOf } from '../support/scrape.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let port: number;

beforeAll(async () => {
  service = await startService({ env: { metricsPort: 0 } });
  port = service.app.get(MetricsServer, { strict: false }).port!;
});
afterAll(() => service.close());

const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
const scrape = async () => (await scrapeOf(service)).text;
const valueOf = async (name: string, labels: Readonly<Record<string, string>> = {}) =>
  (await scrapeOf(service)).valueOf(name, labels) ?? 0;

/** What a server answers to bytes that may be no HTTP. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** Resolves when that many requests have come to the port of metrics. */
function arrivalOf(count: number): Promise<void> {
  return new Promise((resolve) => {
    const onRequest = (message: unknown): void => {
      const { socket } = (message as { readonly request: IncomingMessage }).request;
      if (socket.localPort === port && --count === 0) resolve();
    };
    subscribe('http.server.request.start', onRequest);
    onTestFinished(() => void unsubscribe('http.server.request.start', onRequest));
  });
}

describe('the port of metrics', () => {
  it('the port of metrics shows what Prometheus reads, with numbers of Node and of ours', async () => {
    const reply = await ask('/metrics');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await reply.text();
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'mailsonde_build_info', 'mailsonde_redis_ping_seconds'])
      expect(text).toContain(`\n${name}`);
    expect(await valueOf('mailsonde_database_up')).toBe(1);
    expect(await valueOf('mailsonde_redis_up')).toBe(1);
  });

  it('the port of metrics says that the process lives and can work', async () => {
    expect(await (await ask('/healthz')).json()).toEqual({ status: 'alive' });
    expect(await (await ask('/readyz')).json()).toEqual({ status: 'ready' });
  });

  it('the port of metrics counts requests by the pattern of their route, and never by what a caller sends', async () => {
    const labels = { route: '/api/v1/verify/batch/:id', method: 'GET', status: '4xx' };
    const before = await valueOf('mailsonde_http_request_duration_seconds_count', labels);
    await fetch(`${service.url}/api/v1/verify/batch/471147114711?email=jane@kept-out.example`);
    await fetch(`${service.url}/nowhere-${'x'.repeat(100)}`, { method: 'PROPFIND' });
    // A request is counted when its reply has ended, which its caller may see first.
    await expect.poll(() => valueOf('mailsonde_http_request_duration_seconds_count', labels)).toBe(before + 1);
    expect(await valueOf('mailsonde_http_errors_total', { code: 'key_missing' })).toBeGreaterThan(0);
    const text = await scrape();
    expect(text).not.toMatch(/471147114711|kept-out|xxx|PROPFIND/);
  });

  it('the port of metrics answers GET of its three paths only', async () => {
    for (const path of ['/', '/metrics/', '/metrics/..', '/api/v1/verify', '/%6detrics', '//metrics'])
      expect((await ask(path)).status, path).toBe(404);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']) {
      const reply = await ask('/metrics', { method, ...(method === 'POST' && { body: 'x'.repeat(100_000) }) });
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, 'GET']);
    }
    expect(await raw('GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n')).toMatch(
      /^HTTP\/1.1 200 OK\r\n[^]*Connection: close/,
    );
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw(`GET /metrics HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
  });

  it('the port of metrics leaves a gauge out that cannot be read, and shows the others', async () => {
    let reads = 0;
    const gauges = service.app.get(Gauges, { strict: false });
    const help = 'of this test';
    gauges.addShared({
      name: 'test_failing',
      help,
      read: () => Promise.reject(new Error(`read ${++reads}`)),
    });
    gauges.addShared({ name: 'test_answering', help, read: () => Promise.resolve(++reads) });
    const text = await scrape();
    expect(text).toContain('\ntest_answering 2\n');
    expect(text).not.toMatch(/\ntest_failing \S/);
    expect(await valueOf('mailsonde_gauge_failures_total', { gauge: 'test_failing' })).toBe(1);
    expect(reads).toBe(2);
  });

  it('the port of metrics reads a state once for all who scrape at the same time', async () => {
    let reads = 0;
    const gauges = service.app.get(Gauges, { strict: false });
    const allAreThere = arrivalOf(20);
    const read = () => allAreThere.then(() => ++reads);
    gauges.addLocal({ name: 'test_counting', help: 'of this test', read });
    await Promise.all(Array.from({ length: 20 }, scrape));
    expect(reads).toBe(1);
  });
});

it('the port of metrics is not there unless it is asked for', async () => {
  const other = await startService();
  expect(other.app.get(MetricsServer, { strict: false }).port).toBeNull();
  await other.close();
});
