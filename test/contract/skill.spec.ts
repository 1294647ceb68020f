import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SKILL_PATH } from '../../src/discovery/skill.js';
import { ACTIONS } from '../../src/platform/config/reason-texts.js';
import { KEY_POLICIES, type KeyPolicies } from '../../src/platform/config/policies.js';
import { ERROR_CATALOG } from '../../src/platform/errors/error-catalog.js';
import { createFullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { routesOf } from '../support/routes.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let skill: string;

beforeAll(async () => {
  service = await startService();
  skill = await (await fetch(service.url + SKILL_PATH)).text();
});

afterAll(() => service.close());

/** What the skill sets in code. */
const named = () => new Set([...skill.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!));

describe('SKILL.md', () => {
  it('SKILL.md names only routes that are there', () => {
    const routes = routesOf(service.app).map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    const requests = [...skill.matchAll(/`(GET|POST) (\S+)`/g)].map(([, method, url]) => `${method} ${url}`);
    expect(requests).toHaveLength(4);
    for (const one of requests) expect(routes).toContain(one.replace(service.url, ''));
    const urls = [...skill.matchAll(new RegExp(`${service.url}([\\w/.-]+)`, 'g'))].map(([, path]) => path!);
    const paths = new Set(routesOf(service.app).map(({ path }) => path));
    for (const path of urls) expect(paths, path).toContain(path.replace(/\/$/, ''));
  });

  it('SKILL.md names only codes, statuses and members of replies that there are', async () => {
    const codes = [...skill.matchAll(/(\d{3}) `(\w+)`/g)].map(([, status, code]) => [Number(status), code]);
    expect(codes.map(([, code]) => code)).toEqual(['too_many_emails', 'credits_insufficient', 'key_ceiling_reached']);
    for (const [status, code] of codes)
      expect(ERROR_CATALOG[code as keyof typeof ERROR_CATALOG]?.[0], code as string).toBe(status);
    const statuses = new Set<number>(Object.values(ERROR_CATALOG).map(([status]) => status));
    for (const [, status] of skill.matchAll(/\b([45]\d\d)\b/g)) expect(statuses).toContain(Number(status));
    const document = await (await fetch(`${service.url}/agent-gateway/openapi.json`)).text();
    const words = new Set(document.match(/[A-Za-z]+([_-][A-Za-z]+)*/g));
    const names = [...named()].filter((name) => /^[A-Za-z]+([_-][A-Za-z]+)*$/.test(name));
    expect(names.filter((name) => !words.has(name))).toEqual([]);
    for (const one of ['Mailsonde-Action', 'Retry-After', 'Idempotency-Key', 'claim_token', 'sufficient'])
      expect(names).toContain(one);
  });

  it('SKILL.md has the figures of an agent’s policy', () => {
    const { agent } = service.app.get<KeyPolicies>(KEY_POLICIES);
    const figures = { ...agent.rate, ...agent } as unknown as Record<string, number>;
    expect(skill).toContain(`at most ${figures['batchSize']} in one batch`);
    expect(skill).toContain(`${figures['dailyFreeCredits']} are free each UTC day`);
    expect(skill).toContain(`At most ${figures['requests']} requests in any ${figures['windowSeconds']} seconds`);
    expect(skill).toContain(`good for ${figures['keyLifeDays']} days`);
    expect(skill.includes('an `unknown` too')).toBe(agent.chargeUnknown);
  });

  it('SKILL.md says of every action what it means, and each is one that replies have', async () => {
    const { testKey } = await createFullAccount({ url: service.env.databaseUrl });
    const told = [...skill.matchAll(/^- `(\w+)`: /gm)].map(([, action]) => action);
    expect(told).toEqual([...ACTIONS]);
    const words = { send: 'valid', send_with_care: 'catch-all', review: 'full', retry_later: 'greylisted' };
    for (const [action, word] of Object.entries({ ...words, do_not_send: 'invalid' })) {
      const body = { email: `jane+${word}@example.com` };
      const { headers } = await call(service, '/api/v1/verify', { key: testKey, body });
      expect(headers.get('mailsonde-action')).toBe(action);
      expect(headers.get('retry-after') !== null).toBe(action === 'retry_later');
    }
  });

  it('SKILL.md tells the truth about prices, bounds and refusals', async () => {
    const key = await register(service);
    const emails = Array.from({ length: 26 }, (_, i) => `nobody-${i}`);
    const tooMany = await call(service, '/api/v1/verify/batch', { key, body: { emails } });
    expect([tooMany.status, tooMany.body.code, tooMany.body.limit]).toEqual([422, 'too_many_emails', 25]);
    for (const body of [{ emails }, { count: 200 }]) {
      const { data } = (await call(service, '/api/v1/estimate', { key, body })).body;
      expect([data.credits_remaining, data.sufficient]).toEqual([25, false]);
    }
    const dear = await call(service, '/api/v1/verify', { key, body: { email: 'nobody', max_credits: 0 } });
    expect([dear.status, dear.body.code]).toEqual([402, 'ceiling_reached']);
  });
});
