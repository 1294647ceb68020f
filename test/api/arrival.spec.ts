import { Body, Controller, Global, Module, Post, Req } from '@nestjs/common';
import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import { IsOptional, IsString } from 'class-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpApp } from '../../src/http.js';
import { ClockModule } from '../../src/platform/clock.module.js';
import { EDGE_PIPELINE } from '../../src/request-pipeline.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { Drain } from '../../src/platform/health/drain.js';
import type { StreamedRequest } from '../../src/platform/http/caller-stream.js';
import { chunk, exchange, head } from '../support/raw-exchange.js';

class Input {
  @IsOptional()
  @IsString()
  readonly name?: string;
}

@Controller()
class BodiesController {
  @Post('whole')
  whole(@Body() input: Input): Input {
    return input;
  }

  @Post('refused')
  @RouteConfig({ streamsBody: true })
  refused(): never {
    throw new AppError('too_many_emails');
  }

  /** Refuses after the first piece, as a list that is too long. */
  @Post('begun')
  @RouteConfig({ streamsBody: true })
  async begun(@Req() request: StreamedRequest): Promise<never> {
    for await (const _ of request.body) break;
    throw new AppError('too_many_emails');
  }

  @Post('read')
  @RouteConfig({ streamsBody: true })
  async read(@Req() request: StreamedRequest): Promise<{ bytes: number }> {
    let bytes = 0;
    for await (const piece of request.body) bytes += (piece as Buffer).length;
    return { bytes };
  }
}

@Global()
@Module({
  imports: [ClockModule],
  controllers: [BodiesController],
  providers: [Drain, ...EDGE_PIPELINE],
  exports: [Drain],
})
class BodiesModule {}

/* A hundredth and less of the real ones. */
const TIMES = { wholeMs: 300, streamedMs: 1_200 };
const JSON_TYPE = { 'Content-Type': 'application/json' };

let patient: NestFastifyApplication;
let hasty: NestFastifyApplication;
let url: string;
let hastyUrl: string;

beforeAll(async () => {
  patient = await createHttpApp(BodiesModule, { trustedProxies: [] }, false);
  hasty = await createHttpApp(BodiesModule, { trustedProxies: [] }, false, TIMES);
  for (const app of [patient, hasty]) await app.listen(0, '127.0.0.1');
  url = await patient.getUrl();
  hastyUrl = await hasty.getUrl();
});

afterAll(() => Promise.all([patient.close(), hasty.close()]));

describe('a body that comes too late', () => {
  it('a body that comes too late is answered 408 and its connection closes, within the time of bodies that are read whole', async () => {
    const headers = { ...JSON_TYPE, 'Content-Length': 20 };
    const { status, text, end } = await exchange(hastyUrl, [`${head('POST /whole', headers)}{"name"`]);
    expect([status, end]).toEqual([408, 'closed']);
    expect(text).toMatch(/^connection: close\r$/im);
    expect(bodyOf(text)).toMatchObject({ success: false, code: 'request_timeout' });
  });

  it('a body that comes too late has more time where the route reads it by itself, and no more', async () => {
    const headers = { 'Transfer-Encoding': 'chunked' };
    const startedAt = performance.now();
    const { status, text } = await exchange(hastyUrl, [head('POST /read', headers) + chunk('a')]);
    expect(performance.now() - startedAt).toBeGreaterThan(TIMES.wholeMs * 2);
    expect([status, bodyOf(text).code]).toEqual([408, 'request_timeout']);
  });

  it('a body that comes too late closes the connection when its request was answered long before', async () => {
    const headers = { ...JSON_TYPE, 'Content-Length': 20 };
    for (const line of ['POST /nowhere', 'DELETE /whole', 'POST /%zz', 'GET /whole']) {
      const { end } = await exchange(hastyUrl, [`${head(line, headers)}{"name"`]);
      expect([line, end]).toEqual([line, 'closed']);
    }
  });
});

describe('a refusal before the body has come', () => {
  const pieces = Array.from({ length: 200 }, () => Buffer.alloc(65_536, 'a'));
  const length = 200 * 65_536;

  it.each([
    ['a route that does not read', 'POST /refused', 422],
    ['a route that reads a little', 'POST /begun', 422],
    ['a route that takes less', 'POST /whole', 413],
    ['no route', 'POST /nowhere', 413],
    ['a path that nobody can read', 'POST /%zz', 413],
    ['another method', 'PUT /whole', 405],
  ])(
    'a refusal before the body has come of %s reaches a caller who sends everything first, and the connection goes on',
    async (_, line, status) => {
      const first = head(line, { ...JSON_TYPE, 'Content-Length': length });
      const second = `${head('POST /whole', { ...JSON_TYPE, 'Content-Length': 12, Connection: 'close' })}{"name":"x"}`;
      const { text, end } = await exchange(url, [first, ...pieces, second]);
      expect(statusesOf(text)).toEqual([status, 201]);
      expect(end).toBe('closed');
    },
  );

  it.each(['POST /refused', 'POST /begun', 'POST /whole', 'POST /nowhere'])(
    'a refusal before the body has come by %s reaches a caller whose connection closes after it',
    async (line) => {
      const first = head(line, { ...JSON_TYPE, 'Content-Length': length, Connection: 'close' });
      const { text, end } = await exchange(url, [first, ...pieces]);
      expect(statusesOf(text)).toHaveLength(1);
      expect(end).toBe('closed');
    },
  );

  it('a refusal before the body has come is read by a caller who waits for 100 Continue', async () => {
    const headers = { ...JSON_TYPE, 'Content-Length': 12, Expect: '100-continue', Connection: 'close' };
    const { text } = await exchange(url, [head('POST /whole', headers), '{"name":"x"}']);
    expect(statusesOf(text)).toEqual([100, 201]);
  });
});

describe('a connection', () => {
  it('a connection answers pipelined requests in their order, whatever was wrong with the ones before', async () => {
    const one = (path: string, body: string, more: object = {}) =>
      `${head(`POST ${path}`, { ...JSON_TYPE, 'Content-Length': body.length, ...more })}${body}`;
    const all =
      one('/whole', '{') +
      one('/refused', 'xyz') +
      one('/nowhere', '{}') +
      one('/whole', '{}', { Connection: 'close' });
    const { text } = await exchange(url, [all]);
    expect(statusesOf(text)).toEqual([400, 422, 404, 201]);
  });

  it('a connection takes trailers and chunk extensions for what they are', async () => {
    const headers = { 'Transfer-Encoding': 'chunked', Trailer: 'X-Sum', Connection: 'close' };
    const body = '3;a=b\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n';
    const { text } = await exchange(url, [head('POST /read', headers) + body]);
    expect(bodyOf(text)).toEqual({ bytes: 3 });
  });

  it.each([
    ['two lengths', { 'Content-Length': '3, 4' }],
    ['a length and chunks', { 'Content-Length': 3, 'Transfer-Encoding': 'chunked' }],
    ['a length that is none', { 'Content-Length': '-3' }],
  ])('a connection with %s is refused and closed', async (_, headers) => {
    const { status, text, end } = await exchange(url, [`${head('POST /read', headers)}abc`]);
    expect([status, end]).toEqual([400, 'closed']);
    expect(bodyOf(text)).toMatchObject({ code: 'malformed_header' });
  });

  it('a connection that ends within a body gets a refusal, and costs nobody else anything', async () => {
    const finish = (socket: { end(): void }) => socket.end();
    const cut = await exchange(url, [`${head('POST /read', { 'Content-Length': 20 })}abc`], { finish });
    expect([cut.status, cut.end]).toEqual([400, 'closed']);
  });
});

describe('JSON', () => {
  const post = (body: Buffer | string) =>
    fetch(`${url}/whole`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

  it.each([
    ['100,000 open brackets', '['.repeat(100_000)],
    ['100,000 nested arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['100,000 nested objects', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
    ['a member nested 100 times', `{"name":"x","more":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['bytes that are not UTF-8', Buffer.from('{"name":"\xff"}', 'latin1')],
    ['half a character', Buffer.from('{"name":"\xc3"}', 'latin1')],
    ['a surrogate as bytes', Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')],
    ['an overlong character', Buffer.from('{"name":"\xc0\xaf"}', 'latin1')],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  ])('JSON of %s is 400 malformed_json', async (_, body) => {
    const reply = await post(body);
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([400, 'malformed_json']);
  });

  it('JSON may begin with a byte order mark, hold any character, and be nested a few times', async () => {
    const reply = await post(Buffer.from(`\uFEFF{"name":"é 例 😀","more":${'['.repeat(20)}${']'.repeat(20)}}`));
    expect([reply.status, await reply.json()]).toEqual([201, { name: 'é 例 😀' }]);
  });
});

describe('the content type that the service uses for itself', () => {
  it.each(['application/vnd.mailsonde.streamed', 'Application/Vnd.Mailsonde.Streamed; a=b', 'application/vnd.other'])(
    'the content type that the service uses for itself is one like any other when a caller sends it: %s',
    async (type) => {
      const reply = await fetch(`${url}/whole`, { method: 'POST', headers: { 'content-type': type }, body: '{}' });
      expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([415, 'unsupported_media_type']);
    },
  );
});

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Of the last reply. */
function bodyOf(text: string): { code?: string } {
  return JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n'))) as { code?: string };
}
