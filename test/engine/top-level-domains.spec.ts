import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Verification } from '../../src/engine/types.js';
import { parseAddress } from '../../src/engine/syntax/address.js';
import { createSuggester } from '../../src/engine/syntax/suggest.js';
import { mailboxes } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';

const LISTED = readFileSync(new URL('../corpus/top-level-domains.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const OF_COUNTRIES = LISTED.filter((name) => name.length === 2);
const INTERNATIONALIZED = LISTED.filter((name) => name.startsWith('xn--'));

const budgetMs = 15_000;
const told = ({ verdict, reason }: Verification) => `${verdict} ${reason}`;

describe('whether a top-level domain exists', () => {
  it('whether a top-level domain exists is asked of the DNS for every one, so that a mailbox under each of them is found', async () => {
    const zones = Object.fromEntries(LISTED.map((name) => [`firm.${name}`, { MX: [[10, 'mx.example.com']] as const }]));
    const { engine } = await startMailWorld({ zones, smtp: { onLine: mailboxes('jane') } });
    const wrong: string[] = [];
    for await (const { verification } of engine.verifyMany(LISTED.map((name) => `jane@firm.${name}`)))
      if (told(verification) !== 'valid mailbox_exists') wrong.push(`${verification.email}: ${told(verification)}`);
    expect(wrong).toEqual([]);
    expect([LISTED.length, OF_COUNTRIES.length, INTERNATIONALIZED.length]).toEqual([1_438, 248, 151]);
  });

  it('whether a top-level domain exists is denied by the DNS alone, and the address that was probably meant is offered', async () => {
    const { engine, dns } = await startMailWorld();
    const verification = await engine.verify('jane@gmail.con', { budgetMs });
    expect(told(verification)).toBe('invalid domain_not_found');
    expect(verification).toMatchObject({ didYouMean: 'jane@gmail.com', checks: { syntax: 'pass', mx: 'fail' } });
    expect(dns.questions.map(({ name }) => name)).toEqual(['gmail.con']);
  });

  it('whether a top-level domain exists is not decided while the DNS does not answer', async () => {
    const { engine } = await startMailWorld({ zones: { 'firm.newest': 'servfail' } });
    expect(told(await engine.verify('jane@firm.newest', { budgetMs }))).toBe('unknown dns_error');
  });

  it('whether a top-level domain exists keeps a known name under one of a country from being corrected', () => {
    const shortened = ['cm', 'co', 'om'];
    const meant = [...OF_COUNTRIES, ...INTERNATIONALIZED].filter((name) => !shortened.includes(name));
    const { suggestFor } = createSuggester({ knownDomains: () => false });
    expect(meant.filter((name) => suggestFor(parseAddress(`jane@yahoo.${name}`)) !== null)).toEqual([]);
  });
});
