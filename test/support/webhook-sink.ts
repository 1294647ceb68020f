import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { onDatabase } from './batches.js';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came. */
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export type Answer = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

export interface WebhookSink {
  readonly port: number;
  /** `http://ADDRESS:PORT/PATH` */
  url(path?: string): string;
  readonly received: Received[];
  /** How it answers from now on; 204 until then. */
  answer: Answer;
  /** Resolves when so many have come in all. */
  until(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** A customer's receiver, on a free port of an address of this machine. */
export async function startWebhookSink(address = '127.0.0.1'): Promise<WebhookSink> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const one = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) };
      received.push(one);
      sink.answer(one, response, request);
      for (const look of waiting) look();
    });
  });
  server.listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sink: WebhookSink = {
    port,
    received,
    url: (path = '/hook') => `http://${address}:${port}${path}`,
    answer: (_, response) => response.writeHead(204).end(),
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve(received);
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return sink;
}

/** What a customer's verifier says: the published library of Standard Webhooks. @throws when it refuses */
export function verify(secret: string, { text, headers }: Pick<Received, 'text' | 'headers'>): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}

/** Waits until a worker has confirmed the endpoint's URL, and makes forgotten that it was asked: in its log and at the sink. */
export async function confirmed(databaseUrl: string, id: string, sink: Pick<WebhookSink, 'received'>): Promise<void> {
  const sql = 'SELECT confirmed_at IS NOT NULL AND lease_owner IS NULL AS done FROM webhook_endpoints WHERE id = $1';
  await expect.poll(async () => (await onDatabase(databaseUrl, sql, [id]))[0]!['done'], { interval: 5 }).toBe(true);
  await forgetTests(databaseUrl);
  sink.received.length = 0;
}

/** As if nobody had ever been asked by a `webhook.test`. */
export async function forgetTests(databaseUrl: string): Promise<void> {
  await onDatabase(databaseUrl, `DELETE FROM webhook_events WHERE type = 'webhook.test'`);
}

/** Settings under which the service delivers to a sink. */
export const TO_LOOPBACK = {
  webhookAllowInsecure: true,
  webhookAllowedNetworks: ['127.0.0.0/8'],
  webhookPorts: ['1-65535'],
} as const;
