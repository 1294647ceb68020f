import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { DataSource } from 'typeorm';
import { expect, it, onTestFinished } from 'vitest';
import { definePrepared } from '../../src/platform/database/prepared.js';
import { createTestDatabase } from '../support/database.js';

const slow = definePrepared('slow_for_test', 'select pg_sleep(30)');
const one = definePrepared<{ one: number }>('one_for_test', 'select 1 as one');

/** PostgreSQL behind a wire that may be cut. */
async function cuttable(url: string): Promise<{ url: string; cut: () => void }> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const wire = createServer((socket) => {
    const server = connect(Number(port), hostname);
    for (const end of [socket, server]) {
      sockets.add(end);
      end.on('error', () => undefined);
    }
    socket.pipe(server).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(wire, 'listening');
  onTestFinished(() => void wire.close());
  const behind = new URL(url);
  [behind.hostname, behind.port] = ['127.0.0.1', String((wire.address() as AddressInfo).port)];
  return { url: behind.href, cut: () => sockets.forEach((socket) => socket.destroy()) };
}

it('a prepared statement whose connection breaks is rejected, and takes nothing else with it', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const wire = await cuttable(database.url);
  const source = await new DataSource({ type: 'postgres', url: wire.url }).initialize();
  onTestFinished(() => source.destroy());
  const uncaught: unknown[] = [];
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error));
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  });
  const running = slow(source.manager);
  const asleep = `select from pg_stat_activity where query = 'select pg_sleep(30)' and datname = current_database()`;
  await expect.poll(() => source.query(asleep)).toHaveLength(1);
  wire.cut();
  await expect(running).rejects.toThrow('Connection terminated unexpectedly');
  await expect.poll(() => one(source.manager).catch(() => [])).toEqual([{ one: 1 }]);
  expect(uncaught).toEqual([]);
});
