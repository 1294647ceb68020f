import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { CreditsService } from '../../src/credits/credits.service.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call, type Reply } from '../support/call.js';
import { callTool } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';

const START = Date.parse('2026-11-21T10:00:00.000Z');
let now = START;
const clock = { now: () => now, set: (at: number) => void (now = at) };

let service: TestService;
let account: FullAccount;
let adminKey: string;

beforeAll(async () => {
  service = await startService({ clock });
  adminKey = await createAdminKey(service);
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 100 });
});

afterAll(() => service.close());

interface Made {
  readonly id: string;
  readonly api_key: string;
}

type Ceilings = Record<string, { readonly used: number }>;

const keys = (body?: object, key = account.liveKey) => call(service, '/api/v1/keys', { key, ...(body && { body }) });
const change = (id: string, body: object, key = account.liveKey) =>
  call(service, `/api/v1/keys/${id}`, { key, method: 'PATCH', body });
const make = async (body: object, key = account.liveKey): Promise<Made> => (await keys(body, key)).body;
const shown = async (id: string) =>
  (await keys()).body.keys.find((one: { id: string }) => one.id === id).ceilings as Record<string, unknown> | null;
/** Answered at once, and charged. */
const verify = (key: string) => call(service, '/api/v1/verify', { key, body: { email: 'jane@nowhere.invalid' } });
const submit = (key: string, count: number, query = '') =>
  call(service, `/api/v1/verify/batch${query}`, {
    key,
    body: { emails: Array.from({ length: count }, (_, i) => `nobody${i}@nowhere.invalid`) },
  });
const statusesOf = async (replies: readonly Promise<Reply>[]) =>
  (await Promise.all(replies)).map(({ status }) => status).toSorted((a, b) => a - b);
const credits = async (key = account.liveKey) => (await call(service, '/api/v1/credits', { key })).body;
const used = async (id: string, name = 'credits_total') => ((await shown(id)) as Ceilings)[name]!.used;
const codeOf = ({ status, body }: Reply) => [status, body.code];
// oxlint-disable-next-line typescript/no-explicit-any
const sql = (text: string, values: unknown[] = []): Promise<any[]> => service.app.get(DataSource).query(text, values);

describe('a ceiling', () => {
  it.each([
    ['credits_per_day', '2026-11-22T00:00:00.000Z'],
    ['credits_per_month', '2026-12-01T00:00:00.000Z'],
    ['credits_total', null],
  ])('%s stops its key exactly there, before anything is done, and no other key', async (ceiling, resets_at) => {
    clock.set(START);
    const { id, api_key } = await make({ [ceiling]: 2 });
    expect(await statusesOf([1, 2, 3, 4].map(() => verify(api_key)))).toEqual([200, 200, 402, 402]);
    const before = await sql('SELECT count(*) AS entries FROM credit_ledger WHERE account_id = $1', [
      account.accountId,
    ]);
    const { status, body } = await verify(api_key);
    expect(status).toBe(402);
    expect(body).toMatchObject({ code: 'key_ceiling_reached', required: 1, ceiling, credits: 2, used: 2, resets_at });
    expect(await shown(id)).toMatchObject({ [ceiling]: { credits: 2, used: 2, resets_at } });
    const after = await sql('SELECT count(*) AS entries FROM credit_ledger WHERE account_id = $1', [account.accountId]);
    expect(after).toEqual(before);
    expect((await verify(account.liveKey)).status).toBe(200);
    expect(await credits()).toMatchObject({ remaining: 97, reserved: 0 });
  });

  it('a ceiling of a day, of a month and in all are three, of which the longest is told', async () => {
    clock.set(Date.parse('2026-11-30T23:59:00.000Z'));
    const { id, api_key } = await make({ credits_per_day: 1, credits_per_month: 2, credits_total: 3 });
    const day = async () => [codeOf(await verify(api_key)), (await verify(api_key)).body.ceiling];
    clock.set(Date.parse('2026-11-29T10:00:00.000Z'));
    expect(await day()).toEqual([[200, undefined], 'credits_per_day']);
    clock.set(Date.parse('2026-11-30T10:00:00.000Z'));
    expect(await day()).toEqual([[200, undefined], 'credits_per_month']);
    clock.set(Date.parse('2026-12-01T00:00:00.000Z'));
    expect(await shown(id)).toMatchObject({ credits_per_day: { used: 0 }, credits_per_month: { used: 0 } });
    expect(await day()).toEqual([[200, undefined], 'credits_total']);
    expect(await shown(id)).toMatchObject({
      credits_per_day: { used: 1, resets_at: '2026-12-02T00:00:00.000Z' },
      credits_per_month: { used: 1, resets_at: '2027-01-01T00:00:00.000Z' },
      credits_total: { used: 3, resets_at: null },
    });
  });

  it('a ceiling says that the balance is short where it is the balance', async () => {
    const poor = await createFullAccount({ url: service.env.databaseUrl }, { credits: 1 });
    const { api_key } = await make({ credits_total: 5 }, poor.liveKey);
    expect(codeOf(await submit(api_key, 2))).toEqual([402, 'credits_insufficient']);
    expect(codeOf(await submit(api_key, 6))).toEqual([402, 'key_ceiling_reached']);
    expect(await statusesOf([1, 2, 3].map(() => verify(api_key)))).toEqual([200, 402, 402]);
    expect(codeOf(await verify(api_key))).toEqual([402, 'credits_insufficient']);
  });

  it('a ceiling counts a batch when it is begun, and gets back what it did not cost', async () => {
    const { id, api_key } = await make({ credits_per_day: 10 });
    expect((await submit(api_key, 11)).body).toMatchObject({ code: 'key_ceiling_reached', required: 11, used: 0 });
    const held = (await submit(api_key, 11, '?hold=true')).body.id;
    const start = (body: object, key = api_key) =>
      call(service, `/api/v1/verify/batch/${held}/start`, { key, method: 'POST', body });
    expect(codeOf(await start({}))).toEqual([402, 'key_ceiling_reached']);
    const { id: batch } = (await submit(api_key, 10)).body;
    await expect
      .poll(async () => (await call(service, `/api/v1/verify/batch/${batch}`, { key: api_key })).body.status)
      .toBe('completed');
    expect(await used(id, 'credits_per_day')).toBe(10);
    // The key that starts a held batch pays.
    expect((await start({}, account.liveKey)).status).toBe(200);
    expect(await used(id, 'credits_per_day')).toBe(10);
  });

  it('a ceiling is told to a model as to a program', async () => {
    const { api_key } = await make({ credits_total: 0 });
    const { result } = await callTool(service, 'verify_email', { email: 'jane@nowhere.invalid' }, { key: api_key });
    expect(result).toMatchObject({
      code: 'key_ceiling_reached',
      required: 1,
      ceiling: 'credits_total',
      credits: 0,
      used: 0,
      resets_at: null,
      action: 'none',
      next_step: expect.stringContaining('credits_total'),
    });
  });
});

describe('what a reservation did not cost', () => {
  const reserve = (payer: { id: string }, amountCredits: number) =>
    service.app.get(CreditsService).reserve(principalOf(payer.id), { amountCredits, purpose: 'verify', workMs: 1000 });
  let ceilingIds: Map<string, string>;
  const principalOf = (keyId: string) => ({
    keyId,
    accountId: account.accountId,
    simulated: false,
    policy: POLICY,
    ceilingId: ceilingIds.get(keyId)!,
    claimer: null,
  });
  const POLICY = { dailyFreeCredits: null, lowCredits: 0 } as never;
  const setUp = async (body: object) => {
    clock.set(START);
    const made = await make(body);
    const [{ ceiling_id }] = await sql('SELECT ceiling_id FROM api_keys WHERE id = $1', [made.id]);
    ceilingIds = new Map([[made.id, ceiling_id]]);
    return made;
  };

  it('what a reservation did not cost goes back to the day and the month from which it was taken, and to no later one', async () => {
    const made = await setUp({ credits_per_day: 10, credits_per_month: 20, credits_total: 30 });
    const creditsService = service.app.get(CreditsService);
    const today = await reserve(made, 6);
    const late = await reserve(made, 4);
    await creditsService.settle(today, 1);
    expect(await Promise.all(['day', 'month'].map((of) => used(made.id, `credits_per_${of}`)))).toEqual([5, 5]);
    clock.set(START + DAY_MS);
    const tomorrow = await reserve(made, 3);
    await creditsService.settle(late, 1);
    // Of the four of the day before three come back: to the month and to the sum.
    expect(await used(made.id, 'credits_per_day')).toBe(3);
    expect(await used(made.id, 'credits_per_month')).toBe(5);
    expect(await used(made.id)).toBe(5);
    clock.set(Date.parse('2026-12-01T00:00:00.000Z'));
    await reserve(made, 2);
    await creditsService.release(tomorrow);
    expect(await used(made.id, 'credits_per_day')).toBe(2);
    expect(await used(made.id, 'credits_per_month')).toBe(2);
    expect(await used(made.id)).toBe(4);
  });

  it('what a reservation did not cost goes back before the next reservation of a new day too, when its end comes first', async () => {
    const made = await setUp({ credits_per_day: 10, credits_total: 30 });
    const late = await reserve(made, 4);
    clock.set(START + DAY_MS);
    await service.app.get(CreditsService).settle(late, 1);
    expect(await used(made.id, 'credits_per_day')).toBe(0);
    expect(await used(made.id)).toBe(1);
    clock.set(START);
    expect(await used(made.id, 'credits_per_day')).toBe(1);
  });

  it('what a reservation did not cost of a process that died comes back with its reservation', async () => {
    const made = await setUp({ credits_total: 5 });
    await reserve(made, 5);
    expect(codeOf(await verify(made.api_key))).toEqual([402, 'key_ceiling_reached']);
    clock.set(START + 60_000);
    await service.app.get(CreditsService).releaseExpired();
    expect(await used(made.id)).toBe(0);
    expect((await verify(made.api_key)).status).toBe(200);
  });

  it('what a reservation did not cost is counted on the later day by a process whose clock is behind', async () => {
    const made = await setUp({ credits_per_day: 2 });
    clock.set(Date.parse('2026-11-22T00:00:00.000Z'));
    await reserve(made, 1);
    clock.set(Date.parse('2026-11-21T23:59:59.990Z'));
    await reserve(made, 1);
    await expect(reserve(made, 1)).rejects.toMatchObject({ code: 'key_ceiling_reached' });
    clock.set(Date.parse('2026-11-22T00:00:01.000Z'));
    await expect(reserve(made, 1)).rejects.toMatchObject({ code: 'key_ceiling_reached' });
  });
});

describe('ceilings in the shape of replies', () => {
  const claim = async (ceilings: object) => {
    const { body } = await call(service, '/agent-gateway/register', { method: 'POST' });
    const { claim_token } = body;
    return call(service, '/api/v1/claims', { key: account.liveKey, body: { claim_token, ...ceilings } });
  };
  const ways: Readonly<Record<string, (body: object) => Promise<Reply>>> = {
    'POST /api/v1/keys': (body) => keys(body),
    'PATCH /api/v1/keys/{id}': async (body) => change((await make({})).id, body),
    'POST /api/v1/claims': claim,
    'POST /admin/v1/accounts/{id}/keys': (body) =>
      call(service, `/admin/v1/accounts/${account.accountId}/keys`, { key: adminKey, body }),
    'PATCH /admin/v1/keys/{id}': async (body) =>
      call(service, `/admin/v1/keys/${(await make({})).id}`, { key: adminKey, method: 'PATCH', body }),
  };

  it.each(Object.entries(ways))(
    'ceilings in the shape of replies are taken by %s as numbers and as objects',
    async (_, send) => {
      const ceilings = {
        credits_per_day: 5,
        credits_total: { credits: 7, used: 'any', resets_at: [{}] },
        credits_per_month: null,
      };
      const { status, body } = await send({ ceilings });
      expect([200, 201]).toContain(status);
      expect((body.key ?? body).ceilings).toMatchObject({
        credits_per_day: { credits: 5, used: 0 },
        credits_total: { credits: 7, used: 0, resets_at: null },
        credits_per_month: null,
      });
    },
  );

  it.each(Object.entries(ways))(
    'ceilings in the shape of replies are refused by %s where they cannot be understood',
    async (_, send) => {
      const RANGE = 'must be a whole number from 0 to 1000000000, or an object with it as credits';
      const day = 'ceilings.credits_per_day';
      for (const [body, field, error] of [
        [
          { ceilings: { credits_per_day: 5 }, credits_total: 7 },
          'ceilings',
          'ceilings cannot be combined with credits_total: send one of the two',
        ],
        [
          { ceilings: null, credits_per_day: null },
          'ceilings',
          'ceilings cannot be combined with credits_per_day: send one of the two',
        ],
        [{ ceilings: { credit_per_day: 5 } }, 'ceilings.credit_per_day', 'is not known; did you mean credits_per_day?'],
        [{ ceilings: { credits_per_day: { credit: 5 } } }, `${day}.credit`, 'is not known; did you mean credits?'],
        [{ ceilings: { credits_per_day: { credits: 5, user: 1 } } }, `${day}.user`, 'is not known; did you mean used?'],
        [{ ceilings: { credits_per_day: { used: 5 } } }, day, `credits_per_day ${RANGE}`],
        [{ ceilings: { credits_per_day: { credits: null } } }, day, `credits_per_day ${RANGE}`],
        [{ ceilings: { credits_per_day: -1 } }, day, `credits_per_day ${RANGE}`],
        [{ ceilings: { credits_per_day: { credits: 1.5 } } }, day, `credits_per_day ${RANGE}`],
        [{ ceilings: { credits_per_day: '5' } }, day, `credits_per_day ${RANGE}`],
        [{ ceilings: { credits_per_day: [{ credits: 5 }] } }, day, `credits_per_day ${RANGE}`],
        [{ ceilings: [{ credits_per_day: 5 }] }, 'ceilings', 'ceilings must be an object'],
        [{ ceilings: 5 }, 'ceilings', 'ceilings must be an object'],
      ] as const) {
        const { status, body: reply } = await send(body);
        expect([status, reply.fields], JSON.stringify(body)).toEqual([422, [{ field, error }]]);
      }
    },
  );

  it('ceilings in the shape of replies stop the key exactly there, and stay as they are when what a reply shows is sent back', async () => {
    const { id, api_key } = await make({});
    expect((await change(id, { ceilings: { credits_total: 5 } })).status).toBe(200);
    expect(await statusesOf([1, 2, 3, 4, 5].map(() => verify(api_key)))).toEqual([200, 200, 200, 200, 200]);
    expect(codeOf(await verify(api_key))).toEqual([402, 'key_ceiling_reached']);
    const ceilings = await shown(id);
    expect((await change(id, { ceilings })).body.ceilings).toEqual(ceilings);
    expect(codeOf(await verify(api_key))).toEqual([402, 'key_ceiling_reached']);
  });

  it('ceilings in the shape of replies are all taken away by null, and stay where they are left out', async () => {
    const { id } = await make({ ceilings: { credits_total: 5, credits_per_day: 3 } });
    expect((await change(id, { ceilings: {} })).body.ceilings).toMatchObject({ credits_total: { credits: 5 } });
    expect((await change(id, { ceilings: { credits_total: null } })).body.ceilings).toMatchObject({
      credits_total: null,
      credits_per_day: { credits: 3 },
    });
    expect((await change(id, { ceilings: null })).body.ceilings).toBeNull();
  });

  it('ceilings in the shape of replies are not allowed for an admin key, whose null may be sent back', async () => {
    const made = await call(service, '/admin/v1/keys', { key: adminKey, body: { name: 'alice' } });
    const patch = (ceilings: object | null) =>
      call(service, `/admin/v1/keys/${made.body.id}`, { key: adminKey, method: 'PATCH', body: { ceilings } });
    expect((await patch(null)).status).toBe(200);
    const { status, body } = await patch({ credits_total: 5 });
    expect([status, body.fields]).toEqual([
      422,
      [{ field: 'ceilings', error: 'ceilings is not allowed for an admin key, which spends no credits' }],
    ]);
  });
});

describe('the ceilings of a key', () => {
  it('the ceilings of a key are null without any, and PATCH sets, changes and takes them away', async () => {
    clock.set(START);
    const { id, api_key } = await make({});
    expect(await shown(id)).toBeNull();
    const { body } = await change(id, { credits_per_day: 1 });
    expect(body.ceilings).toEqual({
      credits_per_day: { credits: 1, used: 0, resets_at: '2026-11-22T00:00:00.000Z' },
      credits_per_month: null,
      credits_total: null,
    });
    expect((await verify(api_key)).status).toBe(200);
    expect(codeOf(await verify(api_key))).toEqual([402, 'key_ceiling_reached']);
    await change(id, { credits_per_day: 2, credits_total: 9 });
    expect(await shown(id)).toMatchObject({ credits_per_day: { credits: 2, used: 1 }, credits_total: { used: 1 } });
    expect((await verify(api_key)).status).toBe(200);
    expect((await change(id, { credits_per_day: null })).body.ceilings).toMatchObject({
      credits_per_day: null,
      credits_total: { credits: 9, used: 2 },
    });
    expect((await change(id, { credits_total: null })).body.ceilings).toBeNull();
    expect((await verify(api_key)).status).toBe(200);
    const audit = (await call(service, '/api/v1/audit', { key: account.liveKey })).body.entries;
    expect(audit[0]).toMatchObject({ act: 'key.change', details: { credits_total: null } });
  });

  it('the ceilings of a key below what is used stop the key, and never take it below nothing', async () => {
    const { id, api_key } = await make({ credits_total: 5 });
    await statusesOf([1, 2, 3].map(() => verify(api_key)));
    await change(id, { credits_total: 1 });
    expect((await verify(api_key)).body).toMatchObject({ code: 'key_ceiling_reached', credits: 1, used: 3 });
  });

  it('the ceilings of a key pass to the key that takes its place, with what is used of them', async () => {
    const { id, api_key } = await make({ credits_total: 3 });
    await verify(api_key);
    const { body } = await call(service, `/api/v1/keys/${id}/rotate`, { key: account.liveKey, method: 'POST' });
    expect(body.ceilings).toMatchObject({ credits_total: { credits: 3, used: 1 } });
    expect(await statusesOf([api_key, body.api_key, api_key, body.api_key].map(verify))).toEqual([200, 200, 402, 402]);
    expect(await used(body.id)).toBe(3);
  });

  it('the ceilings of a key set at a key bind at once those that were rotated into it, one after the other, and no other key', async () => {
    const rotate = async (id: string): Promise<Made> =>
      (await call(service, `/api/v1/keys/${id}/rotate`, { key: account.liveKey, method: 'POST' })).body;
    const oldest = await make({});
    const old = await rotate(oldest.id);
    const newest = await rotate(old.id);
    const other = await make({});
    expect(await statusesOf([oldest, old, other].map(({ api_key }) => verify(api_key)))).toEqual([200, 200, 200]);
    await change(newest.id, { credits_total: 2 });
    expect(await statusesOf([oldest, old, newest].map(({ api_key }) => verify(api_key)))).toEqual([200, 200, 402]);
    for (const { api_key } of [oldest, old, newest])
      expect(codeOf(await verify(api_key))).toEqual([402, 'key_ceiling_reached']);
    expect((await verify(other.api_key)).status).toBe(200);
    await change(newest.id, { credits_total: null });
    expect([await shown(oldest.id), (await verify(oldest.api_key)).status]).toEqual([null, 200]);
  });

  it('the ceilings of a key hold for a key and those that it makes together', async () => {
    const maker = await make({ credits_total: 3 });
    const child = await make({}, maker.api_key);
    expect(await statusesOf([1, 2].flatMap(() => [verify(maker.api_key), verify(child.api_key)]))).toEqual([
      200, 200, 200, 402,
    ]);
    await change(child.id, { credits_total: 4 });
    expect((await verify(maker.api_key)).status).toBe(200);
    await change(maker.id, { credits_total: null });
    expect(await shown(child.id)).toBeNull();
    expect((await verify(child.api_key)).status).toBe(200);
  });

  it('the ceilings of a key are set by no key that has some, which gives out none that may spend more', async () => {
    const maker = await make({ credits_total: 3 });
    const free = await make({});
    for (const refused of [
      keys({ credits_total: 1 }, maker.api_key),
      keys({ kind: 'test', credits_total: 1 }, maker.api_key),
      change(maker.id, { credits_total: 100 }, maker.api_key),
      change(maker.id, { credits_total: null }, maker.api_key),
      change(free.id, { credits_total: 1 }, maker.api_key),
      change(free.id, { permissions: ['verify'] }, maker.api_key),
      change(free.id, { name: 'Shop' }, maker.api_key),
      call(service, `/api/v1/keys/${free.id}/rotate`, { key: maker.api_key, method: 'POST' }),
    ])
      expect(codeOf(await refused)).toEqual([403, 'ceiling_not_allowed']);
    expect((await keys({ kind: 'test' }, maker.api_key)).body).toMatchObject({ kind: 'test', ceilings: null });
    expect((await change(maker.id, { permissions: ['verify'] }, maker.api_key)).status).toBe(200);
  });

  it.each(['credits_per_day', 'credits_per_month', 'credits_total'])(
    '%s is a whole number to a billion',
    async (name) => {
      const { id } = await make({});
      for (const value of [-1, 1.5, '3', true, {}, 1_000_000_001]) {
        for (const reply of [await keys({ [name]: value }), await change(id, { [name]: value })])
          expect([reply.status, reply.body.fields?.[0].field], JSON.stringify(value)).toEqual([422, name]);
      }
      for (const value of [null, 0, 1_000_000_000]) expect((await keys({ [name]: value })).status).toBe(201);
    },
  );

  it('the ceilings of a key of a test key use up nothing, and refuse work that alone costs more', async () => {
    const { id, api_key } = await make({ kind: 'test', credits_per_day: 2 });
    expect(await statusesOf([1, 2, 3, 4].map(() => verify(api_key)))).toEqual([200, 200, 200, 200]);
    expect((await submit(api_key, 3)).body).toMatchObject({ code: 'key_ceiling_reached', required: 3, used: 0 });
    expect((await submit(api_key, 2)).status).toBe(201);
    expect(await used(id, 'credits_per_day')).toBe(0);
  });

  it('the ceilings of a key are seen and set by administrators; an admin key has none', async () => {
    const path = `/admin/v1/accounts/${account.accountId}`;
    const body = { name: 'Shop', credits_per_month: 7 };
    const made = (await call(service, `${path}/keys`, { key: adminKey, body })).body;
    expect(made.ceilings).toMatchObject({ credits_per_month: { credits: 7, used: 0 } });
    const patch = (id: string, asked: object) =>
      call(service, `/admin/v1/keys/${id}`, { key: adminKey, method: 'PATCH', body: asked });
    expect((await patch(made.id, { credits_per_month: 8 })).body.ceilings.credits_per_month.credits).toBe(8);
    const page = (await call(service, path, { key: adminKey })).body;
    expect(page.keys[0]).toMatchObject({ id: made.id, ceilings: { credits_per_month: { credits: 8 } } });
    const { id } = (await call(service, '/admin/v1/keys', { key: adminKey, body: { name: 'alice' } })).body;
    expect((await patch(id, { credits_total: 1 })).body).toMatchObject({ code: 'invalid_input' });
  });
});

it('after all this every balance and every ceiling is what the ledger says, and one that is not is named', async () => {
  const audit = () => service.app.get(CreditsAudit).run();
  expect(await audit()).toMatchObject({ differing: [], differingCeilings: [] });
  const { id, api_key } = await make({ credits_total: 2 });
  await verify(api_key);
  const add = (credits: number) =>
    sql(
      'UPDATE key_ceilings SET used_total = used_total + $2 WHERE id = (SELECT ceiling_id FROM api_keys WHERE id = $1)',
      [id, credits],
    );
  await add(1);
  expect((await audit()).differingCeilings).toMatchObject([{ used: 2, ledgerCharged: 1, openReservations: 0 }]);
  await add(-1);
});
