import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLists, NO_LISTS } from '../../src/engine/verification/engine.js';

interface Domains {
  readonly gathered: readonly string[];
  readonly honest: readonly string[];
}

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');
const list = (name: string): string => read(`../../config/lists/${name}.txt`);
const { gathered, honest } = JSON.parse(read('throw-away-domains.json')) as Domains;
const { flagsOfDomain } = createLists({
  ...NO_LISTS,
  disposable: list('disposable'),
  neverDisposable: list('never-disposable'),
  privacyRelays: list('privacy-relays'),
});

describe('of domains whose mail hosts nobody has asked', () => {
  it('of domains whose mail hosts nobody has asked at least 60 in 100 throw-away domains that the core list lacks are recognized', () => {
    expect(
      gathered.filter((domain) => flagsOfDomain(domain).disposable).length / gathered.length,
    ).toBeGreaterThanOrEqual(0.6);
  });

  it('none of 1,000 small honest ones is called a throw-away domain', () => {
    expect(honest).toHaveLength(1_000);
    expect(honest.filter((domain) => flagsOfDomain(domain).disposable)).toEqual([]);
  });

  it.each([
    ['SimpleLogin', ['simplelogin.com', 'aleeas.com', 'slmail.me', 'sl.email']],
    ['Proton Pass', ['passmail.net', 'passmail.com', 'passinbox.com', 'passfwd.com']],
    ['addy.io', ['addy.io', 'anonaddy.com', 'jane.anonaddy.me', '4wrd.cc']],
    ['Firefox Relay', ['mozmail.com', 'relay.firefox.com']],
    ['DuckDuckGo', ['duck.com']],
    ['Apple', ['privaterelay.appleid.com']],
    ['StartMail', ['use.startmail.com']],
    ['Forward Email', ['forwardemail.net', 'hideaddress.net']],
    ['33mail', ['jane.33mail.com', '33m.co']],
    ['others', ['erine.email', 'mailshield.app', 'emailshield.cc', 'adguardmail.com', 'sale.craigslist.org']],
  ])('the relays of %s are privacy relays, and never throw-away domains', (_, domains) => {
    for (const domain of domains)
      expect(flagsOfDomain(domain), domain).toMatchObject({ privacyRelay: true, disposable: false });
  });
});
