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

const BETWEEN_TRIES_MS = 250;

/** Callers that verify one address after another, and send a request again by its idempotency key until it is answered. */
export class Callers {
  readonly calls: Call[] = [];
  wrong = 0;
  private isStopped = false;
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
      await this.call(value);
      await delay(20);
    }
  }

  private async call(email: string): Promise<void> {
    const headers = {
      authorization: `Bearer ${this.key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const beganAt = Date.now();
    const failures: string[] = [];
    for (;;) {
      const reply = await this.ask(headers, email);
      if (reply !== null && typeof reply !== 'string') {
        if ((reply.verdict === 'valid') !== exists(email)) this.wrong += 1;
        break;
      }
      failures.push(reply ?? 'no reply');
      await delay(BETWEEN_TRIES_MS);
    }
    this.calls.push({ beganAt, ms: Date.now() - beganAt, failures });
  }

  /** @returns a text for what has to be asked again */
  private async ask(headers: Record<string, string>, email: string): Promise<{ verdict: string } | string | null> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.port}/api/v1/verify`, {
        method: 'POST',
        headers,
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
}
