import { Readable } from 'node:stream';
import { Body, Controller, HttpCode, Module, Post, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { DataSource, type EntityManager } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppModule, type ServiceEnv } from '../../src/app.module.js';
import { createHttpApp } from '../../src/http.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../src/idempotency/idempotency-claim.js';
import { TakesKeysOf } from '../../src/keys/route.decorator.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { createFullAccount } from '../support/accounts.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { held } from '../support/held.js';
import { testRedis } from '../support/redis.js';

/** A route that takes its body as a stream, counts its bytes, and writes what it made in the claim's transaction. */
@Controller('uploads')
class UploadsController {
  uploads = 0;
  refuse: 'nothing' | 'after reading' | 'before reading' = 'nothing';
  onFirstByte: () => void = () => undefined;

  @Post()
  @TakesKeysOf('account', { needs: [] })
  @HttpCode(201)
  async upload(
    @Body() body: unknown,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    this.uploads += 1;
    if (this.refuse === 'before reading') throw new AppError('too_many_emails');
    let bytes = 0;
    for await (const chunk of body as Readable) {
      this.onFirstByte();
      bytes += (chunk as Buffer).length;
    }
    await claim?.transaction((tx) => made(tx, bytes));
    if (this.refuse === 'after reading') throw new AppError('last_live_key', { body: { bytes } });
    void reply.header('Location', `/uploads/${this.uploads}`);
    return { upload: this.uploads, bytes };
  }
}

/** Something that lasts, in a table that will do. */
const made = (tx: EntityManager, bytes: number) =>
  tx.query(
    `INSERT INTO agent_daily_pool AS made (utc_date, used) VALUES ('2000-01-01', $1)
     ON CONFLICT (utc_date) DO UPDATE SET used = made.used + excluded.used`,
    [bytes],
  );

let database: TestDatabase;
let app: NestFastifyApplication;
let uploads: UploadsController;
let url: string;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { url: redisUrl } = await testRedis();
  const env: ServiceEnv = { ...loadEnv({}), databaseUrl: database.url, redisUrl, secretsKey: '11'.repeat(32) };
  @Module({ imports: [AppModule.register(env)], controllers: [UploadsController] })
  class UploadsModule {}
  app = await createHttpApp(UploadsModule, env, false);
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addContentTypeParser('text/csv', (_, payload, done) => done(null, payload));
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
  uploads = app.get(UploadsController);
});

afterAll(async () => {
  await app.close();
  await database.drop();
});

beforeEach(async () => {
  key = (await createFullAccount(database)).liveKey;
  await app.get(DataSource).query('DELETE FROM agent_daily_pool');
  Object.assign(uploads, { uploads: 0, refuse: 'nothing', onFirstByte: () => undefined });
});

async function upload(body: string | Readable, search = '') {
  const response = await fetch(`${url}/uploads${search}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', 'idempotency-key': 'k' },
    body: typeof body === 'string' ? body : (Readable.toWeb(body) as ReadableStream),
    duplex: 'half',
  });
  const text = await response.text();
  const { status, headers } = response;
  return { status, text, code: JSON.parse(text).code, location: headers.get('location'), headers };
}

async function madeBytes(): Promise<number> {
  const [{ bytes }] = await app.get(DataSource).query('SELECT coalesce(sum(used), 0) AS bytes FROM agent_daily_pool');
  return bytes;
}

const csv = (length: number) => 'a@b.example\n'.repeat(length / 12);
const LARGE = csv(600_000);

describe('a body that streams', () => {
  it('a body that streams is recognized by its bytes, however they are cut, and its Location comes again', async () => {
    const first = await upload(LARGE);
    const pieces = Readable.from(LARGE.match(/.{1,7919}/gs)!.map((piece) => Buffer.from(piece)));
    const second = await upload(pieces);
    expect(first).toMatchObject({ status: 201, location: '/uploads/1' });
    expect(second).toMatchObject({ status: 201, text: first.text, location: '/uploads/1' });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(uploads.uploads).toBe(1);
    expect(await madeBytes()).toBe(LARGE.length);
  });

  it('a body that streams with one other byte at its end is 422', async () => {
    await upload(LARGE);
    expect(await upload(`${LARGE.slice(0, -2)}x\n`)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    expect(await upload(LARGE, '?email_column=2')).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  it('a body that streams that still comes is 409 for the second, before any of it is read', async () => {
    const begun = held<void>();
    const rest = held<void>();
    uploads.onFirstByte = () => begun.resolve();
    const slow = Readable.from(
      (async function* () {
        yield Buffer.from('first,');
        await rest.promise;
        yield Buffer.from('last');
      })(),
    );
    const first = upload(slow);
    await begun.promise;
    expect(await upload('first,last')).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    rest.resolve();
    expect((await first).status).toBe(201);
    expect(await upload('first,last')).toMatchObject({ status: 201, text: (await first).text });
    expect(uploads.uploads).toBe(1);
  });

  it('a body that streams refused as input is not kept, though nobody read it', async () => {
    uploads.refuse = 'before reading';
    expect((await upload('one')).status).toBe(422);
    uploads.refuse = 'nothing';
    expect((await upload('two')).status).toBe(201);
  });
});

describe('a refusal of the work itself', () => {
  it('a refusal of the work itself comes again, byte for byte, and what the work had done is undone', async () => {
    uploads.refuse = 'after reading';
    const first = await upload(csv(324));
    uploads.refuse = 'nothing';
    const second = await upload(csv(324));
    expect(first).toMatchObject({ status: 409, code: 'last_live_key' });
    expect(second).toMatchObject({ status: 409, text: first.text });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(uploads.uploads).toBe(1);
    expect(await madeBytes()).toBe(0);
  });
});
