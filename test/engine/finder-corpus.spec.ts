import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/engine/finder/finding.js';
import { createPatternReader } from '../../src/finder/pattern-reader.js';
import { inventCompanies } from '../support/companies.js';
import { find, finderData } from '../support/finder.js';
import { localPartOf, recipientOf } from '../support/mail-scripts.js';
import { type MailWorld, startMailWorld } from '../support/mail-world.js';

const patternOf = createPatternReader(finderData);

const COMPANIES = inventCompanies(500, 22);
const MAILBOXES = new Set(COMPANIES.flatMap(({ people }) => people.map(({ address }) => address)));
/** Every tenth company takes mail for any name. */
const CATCH_ALLS = new Set(COMPANIES.filter((_, i) => i % 10 === 9).map(({ domain }) => domain));
const HONEST = COMPANIES.filter(({ domain }) => !CATCH_ALLS.has(domain));

function world(): Promise<MailWorld> {
  return startMailWorld({
    zones: { '*.example.com': { MX: [[10, 'mx.example.com']] } },
    smtp: {
      onLine: (line) => {
        const recipient = recipientOf(line);
        if (recipient === null || MAILBOXES.has(recipient) || localPartOf(line) === 'postmaster') return undefined;
        return CATCH_ALLS.has(recipient.split('@')[1]!) ? undefined : '550 5.1.1 User unknown';
      },
    },
  });
}

/** One after another at a domain, many domains at once. */
async function findAll<T>(items: readonly T[], one: (item: T) => Promise<Finding>): Promise<Finding[]> {
  const found: Finding[] = [];
  const next = items.entries();
  const work = async () => {
    for (const [i, item] of next) found[i] = await one(item);
  };
  await Promise.all(Array.from({ length: 20 }, work));
  return found;
}

describe('five hundred invented companies', () => {
  it('five hundred invented companies at honest servers at least 95 % are found, with at most 4 recipients each, and nobody wrong as valid', async () => {
    const mail = await world();
    const found = await findAll(HONEST, ({ people, domain }) => find(mail.engine, people[0]!.fullName, domain));
    const right = found.filter(({ email }, i) => email === HONEST[i]!.people[0]!.address);
    const wrong = found.filter(
      ({ email, verdict }, i) => verdict === 'valid' && email !== HONEST[i]!.people[0]!.address,
    );
    expect(wrong).toEqual([]);
    expect(right.length / HONEST.length).toBeGreaterThanOrEqual(0.95);
    expect(mail.smtp.recipients.length / HONEST.length).toBeLessThanOrEqual(4);
  });

  it('five hundred invented companies who does not work there is not found, within 12 recipients', async () => {
    const mail = await world();
    const strangers = HONEST.slice(0, 100).flatMap(({ domain, strangers: names }) =>
      names.map((name) => ({ domain, name })),
    );
    let most = 0;
    for (const { domain, name } of strangers) {
      const before = mail.smtp.recipients.length;
      const { verdict } = await find(mail.engine, name, domain);
      most = Math.max(most, mail.smtp.recipients.length - before);
      expect(verdict).not.toBe('valid');
    }
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(12);
  });

  it('five hundred invented companies on catch-alls the best guess is risky, never valid', async () => {
    const mail = await world();
    const some = COMPANIES.filter(({ domain }) => CATCH_ALLS.has(domain));
    const found = await findAll(some, ({ people, domain }) => find(mail.engine, people[0]!.fullName, domain));
    expect(new Set(found.map(({ verdict, reason }) => `${verdict} ${reason}`))).toEqual(new Set(['risky catch_all']));
    expect(found.every(({ confidence, alternatives }) => confidence < 0.6 && alternatives.length === 3)).toBe(true);
  });

  it('five hundred invented companies after twenty verified addresses of the domain, at most 1.5 recipients each', async () => {
    const mail = await world();
    const addresses = HONEST.flatMap(({ people }) => people.slice(0, 20).map(({ address }) => address));
    const seen = new Map<string, Map<string, number>>();
    for await (const { verification } of mail.engine.verifyMany(addresses)) {
      expect(verification.verdict).toBe('valid');
      const [localPart, domain] = verification.email.split('@') as [string, string];
      const pattern = patternOf(localPart);
      const counts = seen.get(domain) ?? new Map<string, number>();
      seen.set(domain, counts);
      if (pattern !== null) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
    }
    const before = mail.smtp.recipients.length;
    const found = await findAll(HONEST, ({ people, domain }) =>
      find(mail.engine, people[20]!.fullName, domain, { seen: seen.get(domain)! }),
    );
    const right = found.filter(({ email }, i) => email === HONEST[i]!.people[20]!.address);
    expect(right.length / HONEST.length).toBeGreaterThanOrEqual(0.95);
    expect((mail.smtp.recipients.length - before) / HONEST.length).toBeLessThanOrEqual(1.5);
  });
});
