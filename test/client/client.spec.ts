import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createAdminClient,
  createAgentClient,
  createClient,
  registerAgent,
  type ClientOptions,
} from '../../src/client/client.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { startService, type TestService } from '../support/service.js';

/* The typed client against the service, with the simulated mail world of test keys. */

let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  service = await startService({ timer: SYSTEM_TIMER });
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(() => service.close());

const client = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: service.url, apiKey: account.testKey, ...options });

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = [];
  for await (const row of rows) gathered.push(row);
  return gathered;
}

/** Sends requests on, after `meddle` has seen them; what it answers or throws takes the place of the service. */
function meddling(meddle: (request: Request, send: () => Promise<Response>) => Promise<Response> | null) {
  return (request: Request) => meddle(request, () => fetch(request)) ?? fetch(request);
}

const EMAILS = ['jane@example.com', 'invalid@example.com', 'jane@example.com', 'full@example.com'];

describe('a client of a full account', () => {
  it('a client of a full account verifies an address by one call', async () => {
    const verification = await client().verify('jane@example.com');
    expect(verification).toMatchObject({ email: 'jane@example.com', verdict: 'valid', action: 'send' });
  });

  it('a client of a full account finds a person, estimates, and reads the balance', async () => {
    expect(await client().find({ full_name: 'Jane Doe', domain: 'example.com' })).toMatchObject({ verdict: 'valid' });
    expect(await client().estimate({ count: 60 })).toMatchObject({ addresses: 60 });
    expect(await client().credits()).toMatchObject({ plan: 'scale' });
  });

  it('a client of a full account sends a list, waits for its end and gives its rows in order, over as many pages as there are', async () => {
    const { id } = await client().submitBatch({ emails: EMAILS, name: 'Guests' });
    const seen: string[] = [];
    const ended = await client().waitForBatch(id, { onProgress: ({ status }) => seen.push(status) });
    expect(ended).toMatchObject({ id, status: 'completed', processed: 4, name: 'Guests' });
    expect(seen.at(-1)).toBe('completed');
    const rows = await all(client().results(id, { limit: 1 }));
    expect(rows.map(({ email }) => email)).toEqual(EMAILS);
    expect(await all(client().results(id, { verdict: 'invalid' }))).toMatchObject([{ email: EMAILS[1] }]);
    expect((await all(client().batches())).map((batch) => batch.id)).toContain(id);
    expect((await all(client().lists())).map((list) => list.id)).toContain(id);
  });

  it('a client of a full account sends a stream and tells how far it came, and gives the file back as a stream', async () => {
    const csv = `name,email\n${EMAILS.map((email, i) => `Guest ${i},${email}\n`).join('')}`;
    const pieces = csv.match(/[^]{1,16}/g)!.map((piece) => new TextEncoder().encode(piece));
    const sent: number[] = [];
    const { id } = await client().uploadBatch(ReadableStream.from(pieces), {
      name: 'A stream',
      totalBytes: csv.length,
      onProgress: ({ sentBytes, totalBytes }) => sent.push(sentBytes / totalBytes!),
    });
    expect(sent).toHaveLength(pieces.length);
    expect(sent.at(-1)).toBe(1);
    expect(await client().waitForBatch(id)).toMatchObject({ name: 'A stream', status: 'completed' });
    const file = await client().downloadResults(id, { format: 'csv', fields: 'verdict' });
    expect((await file.text()).split('\r\n').slice(0, 2)).toEqual([
      'name,email,verdict',
      'Guest 0,jane@example.com,valid',
    ]);
  });

  it('a client of a full account has every route of the interface, typed', async () => {
    const { data } = await client().api.GET('/api/v1/keys', { params: { query: { limit: 1 } } });
    expect(data!.keys).toHaveLength(1);
  });

  it('a client of a full account throws what the service refuses, as one kind of error with code, status, request and details', async () => {
    const refused = client().verify({ email: 'jane@example.com', timeout_ms: 1 });
    await expect(refused).rejects.toMatchObject({
      name: 'MailsondeError',
      code: 'invalid_input',
      status: 422,
      requestId: expect.stringMatching(/./),
      retryAfterMs: null,
      details: { fields: [{ field: 'timeout_ms' }] },
    });
    await expect(client({ apiKey: 'ms_test_nonsense' }).credits()).rejects.toMatchObject({
      code: 'key_malformed',
      status: 401,
    });
    await expect(all(client().results(1))).rejects.toMatchObject({ code: 'batch_not_found', status: 404 });
    await expect(client().downloadResults(1)).rejects.toMatchObject({ code: 'batch_not_found', status: 404 });
  });
});

describe('a client whose connection is bad', () => {
  it('a client whose connection is bad sends a list once more when its reply got lost, and the service takes it in once', async () => {
    let lost = 0;
    const losing = meddling((request, send) =>
      request.method === 'POST' && lost++ === 0
        ? send().then((response) => Promise.reject(new TypeError(`lost ${response.status}`)))
        : null,
    );
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    const { id } = await client({ fetch: losing, wait }).uploadBatch('jane@example.com\n', {
      name: 'Once',
      contentType: 'text/plain',
    });
    expect(lost).toBe(2);
    expect(waits).toHaveLength(1);
    const named = (await all(client().batches())).filter(({ name }) => name === 'Once');
    expect(named.map((batch) => batch.id)).toEqual([id]);
  });

  it('a client whose connection is bad waits as long as Retry-After says, a little more so that not all come at once, and not longer than it may', async () => {
    const busy = (seconds: number) => () =>
      Promise.resolve(
        Response.json(
          { code: 'rate_limited', error: 'Slowly.' },
          { status: 429, headers: { 'retry-after': `${seconds}` } },
        ),
      );
    let refusals = 2;
    const twice = meddling((_request) => (refusals-- > 0 ? busy(7)() : null));
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    expect(await client({ fetch: twice, wait }).verify('jane@example.com')).toMatchObject({ verdict: 'valid' });
    expect(waits).toHaveLength(2);
    for (const ms of waits) expect(ms).toBeGreaterThanOrEqual(7_000);
    for (const ms of waits) expect(ms).toBeLessThanOrEqual(8_400);
    const never = client({ fetch: busy(3_600), wait }).verify('jane@example.com');
    await expect(never).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 3_600_000 });
    await expect(client({ fetch: busy(1), wait }).verify('jane@example.com')).rejects.toMatchObject({ status: 429 });
    expect(waits).toHaveLength(2 + 3);
  });

  it('a client whose connection is bad repeats nothing that may have been done already and cannot be told apart', async () => {
    let sent = 0;
    const deaf = () => {
      sent += 1;
      return Promise.reject(new TypeError('fetch failed'));
    };
    const wait = async () => {};
    await expect(client({ fetch: deaf, wait }).removeBatch(1)).rejects.toMatchObject({
      code: 'unreachable',
      status: 0,
    });
    expect(sent).toBe(1);
    const once = client({ fetch: deaf, wait }).uploadBatch(ReadableStream.from([new Uint8Array(1)]));
    await expect(once).rejects.toMatchObject({ code: 'unreachable' });
    expect(sent).toBe(2);
    await expect(client({ fetch: deaf, wait }).getBatch(1)).rejects.toMatchObject({ code: 'unreachable' });
    expect(sent).toBe(6);
  });

  it('a client whose connection is bad follows a batch over streams that break, and over none', async () => {
    const { id } = await client().submitBatch({ emails: EMAILS });
    let streams = 0;
    const breaking = meddling((request) => {
      if (!request.url.endsWith('/events')) return null;
      streams += 1;
      if (streams === 1)
        return Promise.resolve(new Response('event: pro', { headers: { 'content-type': 'text/event-stream' } }));
      return streams === 2 ? Promise.reject(new TypeError('fetch failed')) : null;
    });
    expect(await client({ fetch: breaking, wait: async () => {} }).waitForBatch(id)).toMatchObject({
      status: 'completed',
    });
    const full = meddling((request) =>
      request.url.endsWith('/events')
        ? Promise.resolve(
            Response.json({ code: 'too_many_streams', error: 'x' }, { status: 429, headers: { 'retry-after': '1' } }),
          )
        : null,
    );
    expect(await client({ fetch: full, wait: async () => {} }).waitForBatch(id)).toMatchObject({ status: 'completed' });
  });

  it('a client whose connection is bad says at once of a batch that nobody has started that it will not end, and of none that it is not there', async () => {
    const { id } = await client().submitBatch({ emails: EMAILS }, { hold: true });
    await expect(client().waitForBatch(id)).rejects.toMatchObject({ code: 'batch_held' });
    await expect(client().waitForBatch(1)).rejects.toMatchObject({ code: 'batch_not_found' });
    expect(await client().startBatch(id, { max_credits: 3 })).toMatchObject({ id });
    expect(await client().waitForBatch(id)).toMatchObject({ status: 'completed' });
    expect(await client().removeBatch(id)).toMatchObject({ deleted: true });
  });

  it('a client whose connection is bad stops when it is told to, with the reason of the signal', async () => {
    const stop = new AbortController();
    const hanging = (request: Request) =>
      new Promise<Response>((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
        stop.abort(new Error('enough'));
      });
    await expect(client({ fetch: hanging }).verify('a@example.com', { signal: stop.signal })).rejects.toThrow('enough');
    await expect(client().waitForBatch(1, { signal: stop.signal })).rejects.toThrow('enough');
  });

  it('a client whose connection is bad gives an attempt up that takes too long', async () => {
    const hanging = (request: Request) =>
      new Promise<Response>((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
      });
    const slow = client({ fetch: hanging, timeoutMs: 1, maxAttempts: 1 });
    await expect(slow.verify('a@example.com')).rejects.toMatchObject({ code: 'unreachable' });
  });
});

it('an agent gets a key by itself, and is answered without the envelope', async () => {
  const { api_key } = await registerAgent({ baseUrl: service.url }, { name: 'Scout' });
  const agent = createAgentClient({ baseUrl: `${service.url}/`, apiKey: api_key });
  expect(await agent.verify('not an address')).toMatchObject({ result: 'invalid', reason: 'invalid_syntax' });
  const { id } = await agent.submitBatch({ emails: ['not an address', 'nor this'] });
  expect(await agent.waitForBatch(id)).toMatchObject({ status: 'completed', total_emails: 2 });
  expect((await all(agent.results(id))).map(({ result }) => result)).toEqual(['invalid', 'invalid']);
  expect(await agent.credits()).toMatchObject({ daily_free_credits: 25 });
});

it('an administrator has the routes of administrators', async () => {
  const admin = createAdminClient({ baseUrl: service.url, apiKey: await createAdminKey(service) });
  const { data } = await admin.GET('/admin/v1/accounts');
  expect(data!.accounts.map(({ id }) => id)).toContain(account.accountId);
});
