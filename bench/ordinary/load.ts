import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { batchClient, bodyOf, isOver } from '../batch/world.js';
import { worldAddresses } from '../world/mail-world.js';

const SINGLES = 100_000;
const AS_IN_A_DAY = 'real';

/** What one kind of caller did. */
export interface Done {
  calls: number;
  /** Answers that this caller did not expect, by status. */
  readonly unexpected: Map<string, number>;
}

/** Callers of an ordinary hour: each does its own thing again and again, with a pause, until it is told to stop. */
export class OrdinaryLoad {
  readonly done = new Map<string, Done>();
  webhooks = 0;
  private readonly ending = new AbortController();
  private readonly running: Promise<void>[] = [];
  private readonly receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      this.webhooks += 1;
      response.writeHead(204).end();
    });
  });

  constructor(
    private readonly port: number,
    private readonly key: string,
    private readonly receiverPort: number,
  ) {
    this.receiver.listen(receiverPort, '127.0.0.1');
  }

  /** @param batchSize addresses of a list, of which there is one every five minutes */
  async begin(batchSize: number): Promise<void> {
    const endpoint = { url: `http://127.0.0.1:${this.receiverPort}/hook`, events: ['batch.completed'] };
    await this.ask('webhook endpoints', 'POST', '/api/v1/webhooks', { body: endpoint, expected: [201] });
    const singles = worldAddresses(SINGLES, AS_IN_A_DAY);
    const email = () => (singles.next() as IteratorYieldResult<{ email: string }>).value.email;
    this.again('single verifications', 500, (name) =>
      this.ask(name, 'POST', '/api/v1/verify', { body: { email: email() } }),
    );
    this.again('verifications one after another', 1_000, (name) =>
      this.ask(name, 'POST', '/api/v1/verify', { body: { email: email() } }),
    );
    this.again('lists, followed to their end and read', 300_000, (name) => this.list(name, batchSize));
    this.again('reading: balance, usage, batches', 15_000, async (name) => {
      for (const path of ['/api/v1/credits', '/api/v1/usage', '/api/v1/verify/batch'])
        await this.ask(name, 'GET', path, {});
    });
    this.again('agents that register and verify', 900_000, (name) => this.agent(name, email));
    this.again('mistakes: wrong key, wrong body, wrong id', 20_000, async (name) => {
      await this.ask(name, 'GET', '/api/v1/credits', { key: 'ms_live_wrong', expected: [401] });
      await this.ask(name, 'POST', '/api/v1/verify', { body: { mail: 'x' }, expected: [422] });
      await this.ask(name, 'GET', '/api/v1/verify/batch/999999999', { expected: [404] });
    });
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.running);
    this.receiver.close();
  }

  private again(name: string, pauseMs: number, act: (name: string) => Promise<unknown>): void {
    const { signal } = this.ending;
    this.done.set(name, { calls: 0, unexpected: new Map() });
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        await act(name).catch((error: unknown) => this.count(name, String(error)));
        await delay(pauseMs, null, { signal }).catch(() => undefined);
      }
    };
    this.running.push(run());
  }

  private async list(name: string, size: number): Promise<void> {
    const client = batchClient(this.port, this.key);
    const number = this.done.get(name)!.calls;
    const some = [...worldAddresses(size * (number + 1), AS_IN_A_DAY)].slice(size * number);
    const { id } = await client.post(bodyOf(some.map(({ email }) => email)));
    let status = await client.status(id);
    while (!isOver(status) && !this.ending.signal.aborted) {
      await delay(2_000, null, { signal: this.ending.signal }).catch(() => undefined);
      status = await client.status(id);
    }
    if (!isOver(status)) return;
    await client.csv(id);
    await client.summary(id);
    this.count(name, status.status === 'completed' ? null : status.status);
  }

  private async agent(name: string, email: () => string): Promise<void> {
    const reply = await this.ask(name, 'POST', '/agent-gateway/register', {
      key: null,
      body: { name: 'Scout' },
      expected: [201],
    });
    const { api_key: key } = (await reply.json()) as { api_key: string };
    for (let i = 0; i < 10; i++) await this.ask(name, 'POST', '/api/v1/verify', { key, body: { email: email() } });
  }

  private async ask(
    name: string,
    method: string,
    path: string,
    {
      body,
      key = this.key,
      expected = [200],
    }: { readonly body?: object; readonly key?: string | null; readonly expected?: readonly number[] },
  ): Promise<Response> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    this.count(name, expected.includes(response.status) ? null : `${response.status} ${text.slice(0, 120)}`);
    return new Response(text, { status: response.status });
  }

  private count(name: string, unexpected: string | null): void {
    const done = this.done.get(name) ?? { calls: 0, unexpected: new Map<string, number>() };
    this.done.set(name, done);
    done.calls += 1;
    if (unexpected !== null) done.unexpected.set(unexpected, (done.unexpected.get(unexpected) ?? 0) + 1);
  }
}
