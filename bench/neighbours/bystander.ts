import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { SmtpTalk } from '../../test/support/smtp-talk.js';

/** What one kind of call took, in milliseconds, and which were not answered as they should be. */
export interface Measured {
  readonly times: number[];
  readonly refused: Map<string, number>;
}

const PATIENCE_MS = 60_000;
/** Between two calls of a kind: below the rate of any plan. */
const PAUSE_MS = 150;

/** An account that does nothing but its work: what its calls take is measured by kind. */
export class Bystander {
  private measured = new Map<string, Measured>();
  /** By message: who waits for it, or nobody yet, because it came before the reply that names it. */
  private readonly arrivals = new Map<string, (() => void) | null>();
  private readonly receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      this.arrived(String(request.headers['webhook-id']));
    });
  });
  private keyId = '';
  private endpointId = '';
  private mailbox = '';
  private number = 0;

  private constructor(
    readonly name: string,
    private readonly port: number,
    private readonly receiverPort: number,
    private readonly key: string,
    /** Where it sends mail from, and has its webhooks. */
    private readonly address: string,
  ) {}

  static async begin(
    name: string,
    ports: { readonly api: number; readonly receiver: number; readonly webhooks: number },
    key: string,
    address: string,
  ): Promise<Bystander> {
    const one = new Bystander(name, ports.api, ports.receiver, key, address);
    one.receiver.listen(ports.webhooks, address);
    await once(one.receiver, 'listening');
    const { port } = one.receiver.address() as AddressInfo;
    one.keyId = (await one.call<{ id: string }>('POST', '/api/v1/keys', { name: 'before' })).id;
    const endpoint = { url: `http://${address}:${port}/hook`, events: ['credits.low'] };
    one.endpointId = (await one.call<{ id: string }>('POST', '/api/v1/webhooks', endpoint)).id;
    const test = await one.call<{ send_to: string[] }>('POST', '/api/v1/placement/tests', {
      seeds: 'none',
    });
    one.mailbox = test.send_to[0]!;
    return one;
  }

  /** What its calls took while it worked for so long. */
  async work(seconds: number): Promise<ReadonlyMap<string, Measured>> {
    this.measured = new Map();
    const endsAt = performance.now() + seconds * 1000;
    const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
      verification: () =>
        this.call('POST', '/api/v1/verify', { email: `ok.${this.next()}@d${this.number % 20}.example.com` }),
      balance: () => this.call('GET', '/api/v1/credits'),
      change: () => this.call('PATCH', `/api/v1/keys/${this.keyId}`, { name: `name ${this.next()}` }),
      'small list': () => this.list(),
      mail: () => this.mail(),
      webhook: () => this.webhook(),
    };
    await Promise.all(Object.entries(kinds).map(([kind, act]) => this.again(kind, act, endsAt)));
    return this.measured;
  }

  close(): void {
    this.receiver.closeAllConnections();
    this.receiver.close();
  }

  private async again(kind: string, act: () => Promise<unknown>, endsAt: number): Promise<void> {
    const measured: Measured = { times: [], refused: new Map() };
    this.measured.set(kind, measured);
    while (performance.now() < endsAt) {
      const from = performance.now();
      await act().catch((error: Error) =>
        measured.refused.set(error.message, (measured.refused.get(error.message) ?? 0) + 1),
      );
      measured.times.push(performance.now() - from);
      await delay(PAUSE_MS);
    }
  }

  private next(): number {
    return ++this.number;
  }

  private async list(): Promise<void> {
    const emails = Array.from({ length: 5 }, () => `ok.${this.next()}@d${this.number % 20}.example.com`);
    const { id } = await this.call<{ id: number }>('POST', '/api/v1/verify/batch', { name: 'small', emails });
    for (;;) {
      const { status } = await this.call<{ status: string }>('GET', `/api/v1/verify/batch/${id}`);
      if (status === 'completed') return;
      await delay(100);
    }
  }

  /** From the connection until the receiver has it. */
  private async mail(): Promise<void> {
    // A network may send a hundred mails an hour to a mailbox: each of its networks sends fewer.
    const from = this.address.replace(/\d+\.1$/, `${this.next() % 250}.1`);
    const { talk, greeting } = await SmtpTalk.begin(this.receiverPort, '127.0.0.1', '', from);
    const said = [greeting];
    const mail = `From: <news@sender.example>\r\nTo: <${this.mailbox}>\r\nSubject: ${this.next()}\r\n\r\nHello.\r\n.`;
    for (const line of [
      'EHLO mail.sender.example',
      'MAIL FROM:<news@sender.example>',
      `RCPT TO:<${this.mailbox}>`,
      'DATA',
      mail,
    ])
      said.push(await talk.say(line));
    talk.close();
    if (!said.every((one) => /^[23]/.test(one))) throw new Error(said.find((one) => !/^[23]/.test(one)) || 'hung up');
  }

  private async webhook(): Promise<void> {
    const { message_id: message } = await this.call<{ message_id: string }>(
      'POST',
      `/api/v1/webhooks/${this.endpointId}/test`,
    );
    if (this.arrivals.delete(message)) return;
    await new Promise<void>((resolve, reject) => {
      this.arrivals.set(message, resolve);
      setTimeout(() => reject(new Error('no webhook came')), PATIENCE_MS).unref();
    });
  }

  private arrived(message: string): void {
    const waiting = this.arrivals.get(message);
    if (waiting === undefined) this.arrivals.set(message, null);
    else this.arrivals.delete(message);
    waiting?.();
  }

  private async call<T = unknown>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 120)}`);
    return JSON.parse(text) as T;
  }
}
