import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { call, type Reply } from '../support/call.js';
import { type ServiceProcess, startProcess } from '../support/process.js';

let folder: string;
let service: ServiceProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailsonde-deliverability-'));
  chmodSync(folder, 0o755); // So that as root the server's user gets to its data.
  // Nothing but a place for its data: no key, no registration, no account anywhere.
  service = await startProcess({ DATA_DIR: folder });
});

afterEach(async () => {
  service.kill('SIGTERM');
  await service.ended;
  const home = join(folder, 'postgres');
  if (existsSync(home)) rmSync(realpathSync(home), { recursive: true });
  rmSync(folder, { recursive: true });
});

it('checks, monitors and placement tests work as they are installed, in seconds and offline, with the key of the first start', async () => {
  const [key] = /ms_test_[A-Za-z0-9_-]+/.exec(service.output())!;
  const ask = (path: string, options: Parameters<typeof call>[2] = {}): Promise<Reply> =>
    call(service, `/api/v1${path}`, { key, ...options });

  const lists = await ask('/blacklists/check', { body: { targets: ['192.0.2.3', 'clean.example.com'] } });
  expect(lists.body.results.map(({ status }: { status: string }) => status)).toEqual(['listed', 'clean']);
  const domain = await ask('/domains/check', { body: { domain: 'no-dmarc.example.com' } });
  expect(domain.body).toMatchObject({ state: 'critical', findings: [{ code: 'dmarc_missing' }] });

  const monitor = await ask('/monitors', { body: { kind: 'domain', target: 'fixed-later.example.com' } });
  expect(monitor.status).toBe(201);
  const eventsOf = async (): Promise<string[]> =>
    (await ask(`/monitors/${monitor.body.id}/events`)).body.events.map(({ type }: { type: string }) => type);
  // It breaks, is mended and resolved by itself.
  await expect.poll(eventsOf, { interval: 200 }).toContain('finding.resolved');
  const { runs } = (await ask(`/monitors/${monitor.body.id}/runs`)).body;
  const diff = await ask(`/monitors/${monitor.body.id}/diff?from=${runs.at(-1).id}&to=${runs[0].id}`);
  expect(diff.body.findings_resolved).toMatchObject([{ code: 'dmarc_missing' }]);

  const test = await ask('/placement/tests', { body: { name: 'gmail-spam' } });
  expect(test.status).toBe(201);
  const ended = async () => (await ask(`/placement/tests/${test.body.id}`)).body.status as string;
  await expect.poll(ended, { interval: 200 }).toBe('completed');
  expect((await ask(`/placement/tests/${test.body.id}`)).body.placement.spam).toBeGreaterThan(0);
});
