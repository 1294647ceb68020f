import 'reflect-metadata';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import pg from 'pg';

import { MicroBatcher } from '../../src/lib/micro-batcher.js';
import { VerifyRequest } from '../../src/verify/verify.controller.js';
import { serveAlone } from './serve-alone.js';

/**
 * The bare parts of a single verification together, as a process of its own: Nest on Fastify with the same DTO and an answer of the same
 * size, and between them what no verification goes without, in its cheapest form: a credit counted as reserved, a recipient named to a mail
 * host on a kept connection, and the credit counted as used, which waits for the disk. Nobody is identified, limited, judged, logged or
 * written into a ledger, so what the service takes beyond it is the service's own.
 */
const [answer, smtpPort, databaseUrl] = process.argv.slice(2);
const ANSWER = JSON.parse(answer!) as object;
const ACCOUNTS = 32;

const pool = new pg.Pool({ connectionString: databaseUrl!, max: 2 });
await pool.query('CREATE TABLE IF NOT EXISTS bench_parts (account int PRIMARY KEY, reserved bigint, used bigint)');
await pool.query('INSERT INTO bench_parts SELECT n, 0, 0 FROM generate_series(0, $1) n ON CONFLICT DO NOTHING', [
  ACCOUNTS - 1,
]);

/** One statement and one commit for all who come during the one before, as the service has them. */
function counting(change: string): MicroBatcher<number, true> {
  const text = `UPDATE bench_parts b SET ${change} FROM (SELECT account, count(*) n FROM unnest($1::int[]) account GROUP BY 1) w
                 WHERE b.account = w.account`;
  return new MicroBatcher(async (accounts) => {
    await pool.query({ name: change, text, values: [accounts] });
    return accounts.map(() => true as const);
  }, 200);
}
const reservations = counting('reserved = reserved + n');
const settlements = counting('reserved = reserved - n, used = used + n');

/** One connection a domain, and on it one recipient after the other. */
class Conversation {
  #socket: Socket | null = null;
  #last: Promise<unknown> = Promise.resolve();

  ask(email: string): Promise<boolean> {
    const asked = this.#last.then(() => this.#converse(email));
    this.#last = asked;
    return asked;
  }

  async #converse(email: string): Promise<boolean> {
    if (this.#socket === null) {
      this.#socket = connect({ port: Number(smtpPort), host: '127.0.0.1', noDelay: true });
      await this.#replies(1);
      this.#socket.write('EHLO probe.example.net\r\n');
      await this.#replies(3);
    }
    this.#socket.write(`RSET\r\nMAIL FROM:<probe@example.net>\r\nRCPT TO:<${email}>\r\n`);
    const lines = await this.#replies(3);
    return lines[2]!.startsWith('2');
  }

  async #replies(count: number): Promise<string[]> {
    let text = '';
    for (;;) {
      const [bytes] = (await once(this.#socket!, 'data')) as [Buffer];
      text += bytes.toString('latin1');
      const lines = text.split('\r\n');
      if (lines.length > count) return lines;
    }
  }
}
const conversations = new Map<string, Conversation>();

function conversationWith(domain: string): Conversation {
  let one = conversations.get(domain);
  if (one === undefined) conversations.set(domain, (one = new Conversation()));
  return one;
}

let asked = 0;

@Controller('api/v1/verify')
class PartsController {
  @Post()
  @HttpCode(200)
  async verify(@Body() { email }: VerifyRequest): Promise<object> {
    const account = asked++ % ACCOUNTS;
    await reservations.add(account);
    const isFound = await conversationWith(email.slice(email.indexOf('@') + 1)).ask(email);
    await settlements.add(account);
    return { ...ANSWER, email, verdict: isFound ? 'valid' : 'invalid' };
  }
}

await serveAlone(PartsController);
