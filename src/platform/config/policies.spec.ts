import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONFIG_DIRECTORY } from './config-file.js';
import { ConfigurationError } from './configuration-error.js';
import { loadPolicies, plansOf, policyNamed, readPlans } from './policies.js';

const POLICIES = readFileSync(join(CONFIG_DIRECTORY, 'key-policies.json'), 'utf8');
const REASONS = { mailbox_exists: { verdict: 'valid', explanation: 'The mailbox exists.', action: 'send' } };

describe('loadPolicies', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'mailsonde-config-'));
    for (const file of ['key-policies.json', 'credit-prices.json', 'webhook-retries.json', 'console.json']) {
      cpSync(join(CONFIG_DIRECTORY, file), join(directory, file));
    }
    writeFileSync(join(directory, 'reasons.json'), JSON.stringify(REASONS));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  const load = () => loadPolicies({ retentionDays: 30 }, directory);

  /** Changes one member of a file, by path; undefined removes it. */
  function change(file: string, path: (string | number)[], value: unknown): void {
    const root = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    const owner = path.slice(0, -1).reduce((at, key) => at[key], root);
    owner[path.at(-1)!] = value;
    writeFileSync(join(directory, file), JSON.stringify(root));
  }

  it('loadPolicies gives agents the limits of the contract', () => {
    expect(load().keyPolicies.agent).toMatchObject({
      name: 'agent',
      shape: 'envelope',
      rate: { kind: 'window', requests: 10, windowSeconds: 60 },
      requestsInFlight: 1,
      batchSize: 25,
      dailyFreeCredits: 25,
      keyLifeDays: 30,
      chargeUnknown: true,
      chargeMalformed: true,
      retentionDays: 7,
    });
  });

  it.each([
    ['free', 10, 20, 50, 100],
    ['pro', 50, 100, 200, 0],
    ['scale', 200, 400, 500, 0],
  ] as const)(
    'loadPolicies gives plan %s the limits of the contract',
    (name, perSecond, burst, requestsInFlight, grantedCredits) => {
      expect(load().keyPolicies[name]).toMatchObject({
        name,
        shape: 'flat',
        rate: { kind: 'bucket', perSecond, burst },
        requestsInFlight,
        grantedCredits,
        batchSize: 1_000_000,
        dailyFreeCredits: null,
        keyLifeDays: null,
        chargeUnknown: false,
        chargeMalformed: false,
        retentionDays: 30,
      });
    },
  );

  it('loadPolicies keeps nothing longer than RETENTION_DAYS, agents included', () => {
    const { keyPolicies } = loadPolicies({ retentionDays: 3 }, directory);
    expect(keyPolicies.agent.retentionDays).toBe(3);
    expect(policyNamed(keyPolicies, 'pro').retentionDays).toBe(3);
  });

  it('loadPolicies takes every row but those of agents and administrators for a plan, in the order of the file', () => {
    change('key-policies.json', ['team'], { ...JSON.parse(POLICIES).pro, batchSize: 7 });
    expect(readPlans(directory)).toEqual(['free', 'pro', 'scale', 'team']);
    const { keyPolicies } = load();
    expect(plansOf(keyPolicies).map(({ name }) => name)).toEqual(readPlans(directory));
    expect(policyNamed(keyPolicies, 'team')).toMatchObject({ name: 'team', batchSize: 7 });
    for (const name of ['gone', 'constructor'])
      expect(() => policyNamed(keyPolicies, name)).toThrow(`config/key-policies.json has no row "${name}" any more`);
  });

  it('loadPolicies refuses a plan with credits of the day, which would come out of the pool of agents', () => {
    change('key-policies.json', ['team'], { ...JSON.parse(POLICIES).pro, dailyFreeCredits: 25 });
    expect(load).toThrow('config/key-policies.json: team.dailyFreeCredits is "25": allowed is null for a plan.');
  });

  it.each(['{', 'null', '[]', '{"free": 1}', '{"agent": {}}'])(
    'loadPolicies knows no plan, and does not throw, of %s',
    (text) => {
      writeFileSync(join(directory, 'key-policies.json'), text);
      expect(readPlans(directory)).toEqual([]);
      expect(load).toThrow(ConfigurationError);
    },
  );

  it.each(['Team', '7', 'a b', '', '__proto__', 'x'.repeat(41)])(
    'loadPolicies refuses a plan of the name "%s"',
    (name) => {
      const text = POLICIES.replace('"pro"', JSON.stringify(name));
      writeFileSync(join(directory, 'key-policies.json'), text);
      expect(load).toThrow(`config/key-policies.json: the name of a row is ${JSON.stringify(name)}: allowed is`);
    },
  );

  it('loadPolicies tries webhooks again by the schedule of the contract', () => {
    const [s, m, h] = [1, 60, 3600];
    expect(load().webhookRetries).toMatchObject({
      delaysSeconds: [0, 5 * s, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h],
      deadlineSeconds: 15,
      disableAfterDays: 5,
    });
  });

  it('loadPolicies lets the console read at the rate that its page promises', () => {
    expect(load().consoleLimits).toEqual({ perSecond: 20, burst: 60, requestsInFlight: 20 });
  });

  it.each([
    ['console.json', ['reading', 'burst'], 0, 'config/console.json reading.burst is "0"'],
    [
      'webhook-retries.json',
      ['delivery', 'delaysSeconds', 2],
      -1,
      'config/webhook-retries.json delivery.delaysSeconds is "[0,5,-1,1800,7200,18000,36000,50400,72000,86400]"',
    ],
    [
      'webhook-retries.json',
      ['delivery', 'jitter'],
      2,
      'config/webhook-retries.json delivery.jitter is "2": allowed is a number from 0 to 1.',
    ],
    ['webhook-retries.json', ['delivery'], undefined, 'config/webhook-retries.json delivery is "missing"'],
    [
      'key-policies.json',
      ['agent', 'batchSize'],
      -1,
      'config/key-policies.json agent.batchSize is "-1": allowed is a whole number from 0 to 1000000.',
    ],
    [
      'key-policies.json',
      ['agent', 'rate', 'windowSeconds'],
      'x',
      'config/key-policies.json agent.rate.windowSeconds is "x": allowed is a whole number from 1 to 86400.',
    ],
    [
      'key-policies.json',
      ['pro', 'rate', 'kind'],
      'leaky',
      'config/key-policies.json pro.rate.kind is "leaky": allowed is window, bucket.',
    ],
    [
      'key-policies.json',
      ['pro', 'rate'],
      undefined,
      'config/key-policies.json pro.rate is "missing": allowed is an object with kind and its numbers.',
    ],
    [
      'key-policies.json',
      ['free', 'batchsize'],
      5,
      'config/key-policies.json free.batchsize is "5": allowed is nothing: there is no such member.',
    ],
    [
      'key-policies.json',
      ['free'],
      undefined,
      'config/key-policies.json free is "missing": allowed is a row of this name.',
    ],
    ['key-policies.json', ['scale'], [], 'config/key-policies.json scale is "[]": allowed is an object.'],
    [
      'credit-prices.json',
      ['verify', 'costCredits'],
      0.5,
      'config/credit-prices.json verify.costCredits is "0.5": allowed is a whole number from 0 to 1000000.',
    ],
    [
      'reasons.json',
      ['mailbox_exists', 'action'],
      'burn',
      'config/reasons.json mailbox_exists.action is "burn": allowed is send, send_with_care, review, retry_later, do_not_send.',
    ],
  ])(
    'loadPolicies refuses %s %o = %o in one line that names file, path, value and what is allowed',
    (file, path, value, message) => {
      change(file, path, value);
      expect(load).toThrow(ConfigurationError);
      expect(load).toThrow(message);
    },
  );

  it('loadPolicies refuses a file that is not JSON, in one line', () => {
    writeFileSync(join(directory, 'reasons.json'), '{\n  "a": }\n');
    expect(load).toThrow(/^config\/reasons\.json is "[^\n]+": allowed is a readable JSON file\.$/);
  });
});
