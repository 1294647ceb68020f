import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import {
  Body,
  Controller,
  Get,
  Global,
  HttpException,
  Ip,
  Module,
  Param,
  Post,
  Query,
  UnauthorizedException,
} from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { QueryFailedError } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpApp } from '../../src/http.js';
import { ClockModule } from '../../src/platform/clock.module.js';
import { EDGE_PIPELINE } from '../../src/request-pipeline.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { ERROR_CATALOG, type ErrorCode } from '../../src/platform/errors/error-catalog.js';
import { Drain } from '../../src/platform/health/drain.js';

class Contact {
  @IsString()
  readonly name: string;
}

class Input {
  @IsString()
  readonly email: string;

  @IsOptional()
  @IsInt()
  readonly timeout_ms?: number;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Contact)
  readonly contacts?: Contact[];
}

class OptionalInput {
  @IsOptional()
  @IsString()
  readonly name?: string;
}

@Controller('edge')
class EdgeController {
  @Post('input')
  input(@Body() input: Input): Input {
    return input;
  }

  @Post('optional')
  optional(@Body() input: OptionalInput): OptionalInput {
    return input;
  }

  @Get('items/:id')
  item(@Param('id') id: string): { id: string } {
    return { id };
  }

  @Get('ip')
  ip(@Ip() ip: string): { ip: string } {
    return { ip };
  }

  @Get('error/:code')
  error(@Param('code') code: ErrorCode, @Query('retry') retry?: string): never {
    throw new AppError(code, {
      ...(retry !== undefined && { retryAfterSeconds: Number(retry) }),
      body: { remaining: 0 },
    });
  }

  @Get('fault/:kind')
  fault(@Param('kind') kind: string): never {
    if (kind === 'sql') throw new QueryFailedError('select secret_column', ['hunter2'], new Error('relation hunter2'));
    if (kind === 'refused')
      throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    if (kind === 'nest') throw new UnauthorizedException('hunter2');
    if (kind === 'teapot') throw new HttpException('hunter2', 418);
    throw 'hunter2';
  }
}

@Global()
@Module({
  imports: [ClockModule],
  controllers: [EdgeController],
  providers: [Drain, ...EDGE_PIPELINE],
  exports: [Drain],
})
class EdgeModule {}

interface ErrorBody {
  readonly success: boolean;
  readonly error: string;
  readonly code: string;
  readonly request_id: string;
  readonly fields?: { field: string; error: string }[];
}

describe('the edge', () => {
  let app: NestFastifyApplication;
  let url: string;

  beforeAll(async () => {
    app = await createHttpApp(EdgeModule, { trustedProxies: [] }, false);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });

  afterAll(() => app.close());

  const post = (path: string, body: string | undefined, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { method: 'POST', headers, ...(body !== undefined && { body }) });
  const postJson = (path: string, body: unknown) =>
    post(path, typeof body === 'string' ? body : JSON.stringify(body), { 'content-type': 'application/json' });

  async function errorOf(reply: Response): Promise<ErrorBody> {
    const body = (await reply.json()) as ErrorBody;
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toMatchObject({
      success: false,
      error: expect.stringMatching(/./),
      code: expect.stringMatching(/^[a-z_]+$/),
    });
    expect(body.request_id).toBe(reply.headers.get('x-request-id'));
    return body;
  }

  describe('request ids', () => {
    it('the edge request ids are the caller’s when it is at most 128 letters, digits and signs that write no email address', async () => {
      for (const id of ['a', 'order-42/retry:1', 'Root=1-67891233_a.b+c', 'x'.repeat(128)]) {
        const reply = await fetch(`${url}/edge/items/1`, { headers: { 'x-request-id': id } });
        expect(reply.headers.get('x-request-id')).toBe(id);
      }
    });

    it('the edge request ids are new otherwise', async () => {
      for (const id of [
        'x'.repeat(129),
        'two words',
        'é',
        'a@example.com',
        'a%40example.com',
        'a%2540example.com',
        'a&#64;example.com',
        '',
      ]) {
        const reply = await fetch(`${url}/edge/items/1`, { headers: { 'x-request-id': id } });
        expect(reply.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
      }
    });

    it('the edge request ids are on every reply, whatever its status, and in the error body', async () => {
      const headers = { 'x-request-id': 'mine', 'content-type': 'application/json' };
      const replies = await Promise.all([
        fetch(`${url}/nowhere`, { headers }),
        fetch(`${url}/%zz`, { headers }),
        fetch(`${url}/edge/input`, { headers, method: 'DELETE' }),
        fetch(`${url}/edge/input`, { headers, method: 'POST', body: '{' }),
        fetch(`${url}/edge/fault/thrown`, { headers }),
      ]);
      for (const reply of replies) expect((await errorOf(reply)).request_id).toBe('mine');
    });
  });

  describe('headers', () => {
    it('the edge headers forbid caches and browsers everything with an answer and with an error', async () => {
      for (const path of ['/edge/items/1', '/nowhere', '/edge/error/rate_limited', '/%zz']) {
        const { headers } = await fetch(`${url}${path}`);
        expect(headers.get('cache-control'), path).toBe('no-store');
        expect(headers.get('x-content-type-options'), path).toBe('nosniff');
        expect(headers.get('content-security-policy'), path).toBe("default-src 'none';frame-ancestors 'none'");
        expect(headers.get('strict-transport-security'), path).toBe('max-age=31536000; includeSubDomains');
        expect(headers.get('referrer-policy'), path).toBe('no-referrer');
        expect(headers.get('x-frame-options'), path).toBe('DENY');
        expect(headers.get('content-type'), path).toBe('application/json; charset=utf-8');
        expect([headers.get('x-powered-by'), headers.get('server')], path).toEqual([null, null]);
      }
    });
  });

  describe('errors', () => {
    it.each(Object.entries(ERROR_CATALOG))(
      'the edge errors are answered with status and sentence: %s',
      async (code, [status, sentence]) => {
        const reply = await fetch(`${url}/edge/error/${code}`);
        expect(reply.status).toBe(status);
        expect(await errorOf(reply)).toEqual({
          success: false,
          error: sentence,
          code,
          request_id: reply.headers.get('x-request-id'),
          remaining: 0,
        });
      },
    );

    it('the edge errors name in whole seconds the time to try again', async () => {
      expect((await fetch(`${url}/edge/error/rate_limited?retry=2.1`)).headers.get('retry-after')).toBe('3');
      expect((await fetch(`${url}/edge/error/rate_limited?retry=0`)).headers.get('retry-after')).toBe('1');
      expect((await fetch(`${url}/edge/error/rate_limited`)).headers.get('retry-after')).toBeNull();
    });

    it('the edge errors challenge for a key as RFC 6750 says: with an error only when a key was sent', async () => {
      const without = await fetch(`${url}/edge/error/key_missing`);
      expect(without.headers.get('www-authenticate')).toBe('Bearer realm="mailsonde"');
      const wrong = await fetch(`${url}/edge/error/key_expired`, { headers: { authorization: 'Bearer x' } });
      expect(wrong.headers.get('www-authenticate')).toBe(
        'Bearer realm="mailsonde", error="invalid_token", error_description="The API key has expired."',
      );
    });

    it.each(['sql', 'nest', 'teapot', 'thrown'])('the edge errors never reveal an internal fault: %s', async (kind) => {
      const reply = await fetch(`${url}/edge/fault/${kind}`);
      expect(reply.status).toBe(500);
      const text = JSON.stringify(await errorOf(reply));
      expect(text).not.toMatch(/hunter2|secret_column|at /);
    });

    it('the edge errors are 503 with Retry-After when a needed part is away', async () => {
      const reply = await fetch(`${url}/edge/fault/refused`);
      expect(reply.status).toBe(503);
      expect(reply.headers.get('retry-after')).toBe('5');
      expect((await errorOf(reply)).code).toBe('unavailable');
    });
  });

  describe('paths and methods', () => {
    it('the edge paths and methods that no route knows are answered 404', async () => {
      for (const path of ['/', '/nowhere', '/edge/items', '/edge/items/1/more', '/%zz', '/%zz/%ff?%zz']) {
        const reply = await fetch(`${url}${path}`);
        expect(reply.status, path).toBe(404);
        expect((await errorOf(reply)).code).toBe('not_found');
      }
    });

    it('the edge paths and methods that nobody can decode, and long ones, are the texts that their routes get', async () => {
      for (const [text, id] of [
        ['%zz', '%zz'],
        ['a%2Fb%ff', 'a/b%ff'],
        ['%', '%'],
        ['x'.repeat(10_000), 'x'.repeat(10_000)],
      ])
        expect(await (await fetch(`${url}/edge/items/${text}?x=%zz`)).json()).toEqual({ id });
    });

    it('the edge paths and methods that a route knows with other methods are answered 405 with these methods', async () => {
      const reply = await fetch(`${url}/edge/items/1?x=1`, { method: 'DELETE' });
      expect(reply.status).toBe(405);
      expect(reply.headers.get('allow')).toBe('GET, HEAD');
      expect((await errorOf(reply)).code).toBe('method_not_allowed');
      expect((await fetch(`${url}/edge/input`)).headers.get('allow')).toBe('POST');
    });

    it('the edge paths and methods answer HEAD like GET, without a body', async () => {
      const reply = await fetch(`${url}/edge/items/1`, { method: 'HEAD' });
      expect(reply.status).toBe(200);
      expect(await reply.text()).toBe('');
    });
  });

  describe('bodies', () => {
    it.each(['{', '{"email":}', 'email=x', '\u0000', '{"__proto__":{"email":"x"}}'])(
      'the edge bodies that are no JSON are answered 400 malformed_json: %j',
      async (body) => {
        const reply = await postJson('/edge/input', body);
        expect(reply.status).toBe(400);
        expect((await errorOf(reply)).code).toBe('malformed_json');
      },
    );

    it('the edge bodies of another type than JSON are answered 415', async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'nonsense',
      ]) {
        const reply = await post('/edge/input', '{"email":"a@example.com"}', { 'content-type': type });
        expect(reply.status, type).toBe(415);
        expect((await errorOf(reply)).code).toBe('unsupported_media_type');
      }
    });

    it('the edge bodies of more than 1 MiB are answered 413, and one of 1 MiB is taken', async () => {
      const filled = (bytes: number) => `{"email":"${'x'.repeat(bytes - 12)}"}`;
      expect((await postJson('/edge/input', filled(1_048_576))).status).toBe(201);
      const reply = await postJson('/edge/input', filled(1_048_577));
      expect(reply.status).toBe(413);
      expect((await errorOf(reply)).code).toBe('body_too_large');
    });

    it('the edge bodies may be empty where every member is optional, whatever the content type says', async () => {
      for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
        const reply = await post('/edge/optional', '', headers as Record<string, string>);
        expect(reply.status).toBe(201);
        expect(await reply.json()).toEqual({});
      }
      expect((await post('/edge/optional', undefined)).status).toBe(201);
    });

    it('the edge bodies that are missing are refused with the needed field', async () => {
      const reply = await post('/edge/input', undefined, { 'content-type': 'application/json' });
      expect(reply.status).toBe(422);
      expect((await errorOf(reply)).fields).toMatchObject([{ field: 'email' }]);
    });

    it.each([{ email: 5 }, { email: null }, { email: ['a@example.com'] }, { email: {} }, {}])(
      'the edge bodies are not converted: %j is 422 with the field',
      async (body) => {
        const reply = await postJson('/edge/input', body);
        expect(reply.status).toBe(422);
        expect(await errorOf(reply)).toMatchObject({ code: 'invalid_input', fields: [{ field: 'email' }] });
      },
    );

    it.each(['[]', '"a@example.com"', '5', 'true', 'null', '[{"email":"a@example.com"}]'])(
      'the edge bodies of JSON that is no object are answered 422: %s',
      async (body) => {
        expect((await postJson('/edge/input', body)).status).toBe(422);
        expect((await postJson('/edge/optional', body)).status).toBe(body === 'null' ? 201 : 422);
      },
    );

    it('the edge bodies with wrong fields are refused with the path of each', async () => {
      const reply = await postJson('/edge/input', {
        email: 'a@example.com',
        timeout_ms: '5',
        contacts: [{ name: 'x' }, { name: 5 }, {}],
      });
      expect((await errorOf(reply)).fields?.map(({ field }) => field)).toEqual([
        'timeout_ms',
        'contacts[1].name',
        'contacts[2].name',
      ]);
    });

    it('the edge bodies may have unknown members, which are ignored', async () => {
      const reply = await postJson('/edge/input', { email: 'a@example.com', later: true });
      expect(reply.status).toBe(201);
      expect(await reply.json()).toEqual({ email: 'a@example.com' });
    });
  });

  describe('the client address', () => {
    async function seenBehind(trustedProxies: string[], forwardedFor: string): Promise<unknown> {
      const behind = await createHttpApp(EdgeModule, { trustedProxies }, false);
      await behind.listen(0, '127.0.0.1');
      const headers = { 'x-forwarded-for': forwardedFor };
      const reply = await fetch(`${await behind.getUrl()}/edge/ip`, { headers });
      await behind.close();
      return ((await reply.json()) as { ip: unknown }).ip;
    }

    it('the edge the client address is the connection’s when no proxy is trusted, whatever a header says', async () => {
      expect(await seenBehind([], '203.0.113.9')).toBe('127.0.0.1');
      expect(await seenBehind(['10.0.0.0/8'], '203.0.113.9')).toBe('127.0.0.1');
    });

    it('the edge the client address is that of the nearest trusted proxies, and not one that the caller made up before them', async () => {
      const trusted = ['127.0.0.0/8', '10.0.0.0/8'];
      expect(await seenBehind(trusted, '203.0.113.9')).toBe('203.0.113.9');
      expect(await seenBehind(trusted, '198.51.100.1, 203.0.113.9, 10.0.0.7')).toBe('203.0.113.9');
    });
  });

  it('the edge answers what is not HTTP with the same body', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
        socket.write('HELO mail.example.com\r\n\r\n'),
      );
      socket.on('data', (chunk) => (received += chunk.toString()));
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({
      success: false,
      code: 'malformed_header',
    });
  });

  it('the edge lets a client read that what it sends is not HTTP, although it sends on', async () => {
    const accepted = once(app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    // What a close would throw away is not read before all is sent.
    client.pause();
    const [socket] = await accepted;
    client.write('HELO mail.example.com\r\n\r\n');
    await once(socket, 'finish');
    const before = socket.bytesRead;
    client.write('MAIL FROM:<jane@example.com>\r\n');
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(before);
    expect(socket.destroyed).toBe(false);
    client.end();
    expect(await textOf(client)).toContain('"code":"malformed_header"');
  });
});
