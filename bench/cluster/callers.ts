import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { exists } from '../batch/workload.js';

/** One call, and all its tries. */
interface Call {
  readonly beganAt: number;
  readonly ms: number;
  /** Statuses and faults of the tries before the one that was answered. */
  readonly failures: readonly string[];
}

/** What was asked, and the key under which it may be asked again. */
export interface Sent {
  readonly email: string;
  readonly idempotencyKey: string;
}

interface Told {
  readonly verdict: string;
  readonly credits_charged: number;
}

const BETWEEN_TRIES_MS = 250;

/** Callers that verify one address after another, and send a request again by its idempotency key until it is answered. */
export class Callers {
  readonly calls: Call[] = [];
  /** Also what was not answered. */
  readonly sent: Sent[] = [];
  wrong = 0;
  /** Credits, as the replies say. */
  charged = 0;
  private isStopped = false;
  private isAbandoned = false;
  private readonly running: Promise<void>[];

  constructor(
    private readonly port: number,
    private readonly key: string,
    addresses: readonly Iterator<string>[],
  ) {
    this.running = addresses.map((each) => this.run(each));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  /** Leaves calls that are under way without an answer, as callers do whose service is gone. */
  async abandon(): Promise<void> {
    this.isAbandoned = true;
    await this.stop();
  }

  /** Of the calls that began in this time. */
  seen(from: number, to: number) {
    const some = this.calls.filter(({ beganAt }) => beganAt >= from && beganAt < to);
    const times = some.map(({ ms }) => ms).sort((a, b) => a - b);
    const failures = some.flatMap((call) => call.failures);
    const kinds = [...new Set(failures)].map((kind) => `${failures.filter((one) => one === kind).length} × ${kind}`);
    return {
      calls: some.length,
      p50: Math.round(times[Math.floor(times.length / 2)] ?? 0),
      p99: Math.round(times[Math.max(0, Math.ceil(times.length * 0.99) - 1)] ?? 0),
      failed: kinds.join(', ') || '0',
    };
  }

  private async run(addresses: Iterator<string>): Promise<void> {
    while (!this.isStopped) {
      const { value } = addresses.next() as IteratorYieldResult<string>;
      const one = { email: value, idempotencyKey: randomUUID() };
      this.sent.push(one);
      await this.call(one);
      await delay(20);
    }
  }

  private async call(sent: Sent): Promise<void> {
    const beganAt = Date.now();
    const failures: string[] = [];
    for (;;) {
      const reply = await askOnce(this.port, this.key, sent);
      if (reply !== null && typeof reply !== 'string') {
        if ((reply.verdict === 'valid') !== exists(sent.email)) this.wrong += 1;
        this.charged += reply.credits_charged;
        break;
      }
      if (this.isAbandoned) return;
      failures.push(reply ?? 'no reply');
      await delay(BETWEEN_TRIES_MS);
    }
    this.calls.push({ beganAt, ms: Date.now() - beganAt, failures });
  }
}

/** Reads again and again what the replica may answer, and counts what is not answered. */
export class Reader {
  reads = 0;
  readonly failures = new Map<string, number>();
  private isStopped = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly port: number,
    private readonly key: string,
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    for (; !this.isStopped; await delay(50))
      for (const path of ['credits/history', 'verify/batch', 'usage']) {
        const failure = await this.read(path);
        this.reads += 1;
        if (failure !== null) this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
      }
  }

  /** @returns what went wrong */
  private async read(path: string): Promise<string | null> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.port}/api/v1/${path}`, {
        headers: { authorization: `Bearer ${this.key}` },
        signal: AbortSignal.timeout(60_000),
      });
      await response.text();
      return response.status === 200 ? null : String(response.status);
    } catch {
      return 'no reply';
    }
  }
}

/** @returns a text for what has to be asked again */
export async function askOnce(
  port: number,
  key: string,
  { email, idempotencyKey }: Sent,
): Promise<Told | string | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/verify`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ email }),
      signal: AbortSignal.timeout(60_000),
    });
    if (response.status === 200) return (await response.json()) as Told;
    await response.text();
    return String(response.status);
  } catch {
    return null;
  }
}
