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

const BETWEEN_TRIES_MS = 250;

/** Callers that verify one address after another, and send a request again by its idempotency key until it is answered. */
export class Callers {
  readonly calls: Call[] = [];
  /** Also what was not answered. */
  readonly sent: Sent[] = [];
  wrong = 0;
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
        break;
      }
      if (this.isAbandoned) return;
      failures.push(reply ?? 'no reply');
      await delay(BETWEEN_TRIES_MS);
    }
    this.calls.push({ beganAt, ms: Date.now() - beganAt, failures });
  }
}

/** @returns a text for what has to be asked again */
export async function askOnce(
  port: number,
  key: string,
  { email, idempotencyKey }: Sent,
): Promise<{ verdict: string } | string | null> {
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
    if (response.status === 200) return (await response.json()) as { verdict: string };
    await response.text();
    return String(response.status);
  } catch {
    return null;
  }
}
