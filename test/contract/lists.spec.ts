import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPublicSuffix } from 'tldts';
import { describe, expect, it } from 'vitest';
import { entries } from '../../src/engine/lists/list-file.js';
import { createLists } from '../../src/engine/lists/lists.js';
import { parseMailProviders } from '../../src/engine/providers/providers.js';
import { openListsDirectory } from '../../src/platform/lists/lists-directory.js';

const config = join(import.meta.dirname, '../../config');
const text = (name: string): string => readFileSync(join(config, 'lists', `${name}.txt`), 'utf8');
const words = (...lines: string[]): string[] => lines.flatMap((line) => line.split(' '));
const domains = (name: string): readonly string[] => entries(name, text(name), 'domain');

const files = {
  disposable: text('disposable'),
  free: text('free'),
  role: text('role'),
  privacyRelays: text('privacy-relays'),
  neverDisposable: text('never-disposable'),
  spamTraps: text('spam-traps'),
};
const lists = createLists(files);
const providers = parseMailProviders(JSON.parse(readFileSync(join(config, 'mail-providers.json'), 'utf8')));

describe('the largest mailbox providers', () => {
  it('are at least 500 names', () => {
    expect(lists.sizes.neverDisposable).toBeGreaterThanOrEqual(500);
  });

  it('are not in the list of disposable domains, nor is a parent of one', () => {
    for (const domain of domains('never-disposable')) expect(lists.ofDomain(domain).disposable, domain).toBe(false);
    const unguarded = createLists({ ...files, neverDisposable: '' });
    for (const domain of domains('never-disposable')) expect(unguarded.ofDomain(domain).disposable, domain).toBe(false);
  });

  it('stay not disposable when a list is made to say that they are', () => {
    const hostile = createLists({ ...files, disposable: `${files.disposable}\n${files.neverDisposable}` });
    for (const domain of domains('never-disposable')) {
      expect(hostile.ofDomain(domain).disposable, domain).toBe(false);
      expect(hostile.ofDomain(`mail.${domain}`).disposable, domain).toBe(false);
    }
  });

  it('include every domain of a known operator', () => {
    const never = new Set(domains('never-disposable'));
    for (const { domains: own } of providers.all) for (const domain of own) expect(never, domain).toContain(domain);
  });

  it('are the ones that everybody knows', () => {
    const known =
      'gmail.com outlook.com hotmail.com yahoo.com icloud.com aol.com gmx.de web.de mail.ru yandex.ru qq.com 163.com';
    for (const domain of words(known)) {
      expect(lists.ofDomain(domain).disposable, domain).toBe(false);
      expect(lists.ofDomain(domain).free, domain).toBe(true);
    }
  });
});

describe('privacy relays', () => {
  it.each(
    words(
      'privaterelay.appleid.com duck.com mozmail.com relay.firefox.com simplelogin.com simplelogin.co',
      'aleeas.com slmail.me 8shield.net passmail.net passinbox.com addy.io anonaddy.me',
      'somebody.anonaddy.com',
    ),
  )('such as %s are relays, and not disposable', (domain) => {
    expect(lists.ofDomain(domain).privacyRelay).toBe(true);
    expect(lists.ofDomain(domain).disposable).toBe(false);
  });

  it('are told apart from large providers, which are none', () => {
    for (const domain of ['gmail.com', 'icloud.com', 'appleid.com', 'proton.me', 'mozilla.org'])
      expect(lists.ofDomain(domain).privacyRelay, domain).toBe(false);
    for (const domain of domains('privacy-relays')) expect(domains('never-disposable')).not.toContain(domain);
  });

  it('stay not disposable when a list is made to say that they are', () => {
    const hostile = createLists({ ...files, disposable: files.privacyRelays });
    for (const domain of domains('privacy-relays')) expect(hostile.ofDomain(domain).disposable, domain).toBe(false);
  });
});

describe('disposable domains', () => {
  it.each(
    words(
      'mailinator.com guerrillamail.com yopmail.com 10minutemail.com temp-mail.org throwawaymail.com',
      'sharklasers.com trashmail.com maildrop.cc getnada.com dispostable.com mohmal.com grr.la moakt.com',
      'emailondeck.com mailnesia.com tempr.email 1secmail.com mail.tm dropmail.me temp-mail.io',
      'spamgourmet.com tempmail.com sub.mailinator.com',
    ),
  )('include %s', (domain) => {
    expect(lists.ofDomain(domain).disposable).toBe(true);
  });

  it('do not include what only looks like one, is an employer, or is a school', () => {
    const honest =
      'google.com microsoft.com example.com github.com mozilla.org nus.edu.sg consultant.com cock.li zoho.com';
    for (const domain of words(honest)) expect(lists.ofDomain(domain).disposable, domain).toBe(false);
  });

  it('include no name under which anybody may register a domain', () => {
    for (const domain of domains('disposable'))
      expect(getPublicSuffix(domain, { allowPrivateDomains: true }), domain).not.toBe(domain);
  });
});

describe('free providers', () => {
  it('include no disposable domain and no privacy relay', () => {
    for (const domain of domains('free')) {
      expect(lists.ofDomain(domain).disposable, domain).toBe(false);
      expect(lists.ofDomain(domain).privacyRelay, domain).toBe(false);
    }
  });

  it('include those that the packages lack', () => {
    for (const domain of ['hey.com', 'tutanota.com', 'tuta.com', 'mailbox.org', 'proton.me', 'posteo.de'])
      expect(lists.ofDomain(domain).free, domain).toBe(true);
  });

  it('do not include employers', () => {
    const employers =
      'google.com microsoft.com apple.com amazon.com ibm.com siemens.com mit.edu bbc.co.uk facebook.com alibaba.com';
    for (const domain of words(employers)) expect(lists.ofDomain(domain).free, domain).toBe(false);
  });
});

describe('roles', () => {
  it.each(
    words(
      'info support sales admin postmaster abuse webmaster hostmaster security noc billing hr careers jobs',
      'noreply no-reply do-not-reply newsletter press office contact kontakt contacto contato ventas vendas',
      'soporte buchhaltung bewerbung facturation comptabilite amministrazione klantenservice biuro',
      'info+spring INFO support-de billing.emea noreply-dmarc sales_uk help team',
    ),
  )('include %s', (localPart) => {
    expect(lists.role(localPart)).toBe(true);
  });

  it.each(
    words(
      'alexa paris sydney dev me abc china berlin john john.smith anna maria jd mohamed wei chelsea grant',
      'bill mark will hope faith joy rose dean bishop steve.jobs info4u2day supportive',
      'paypal facebook gardner 2024 test2 it.smith hr.pufnstuf pr.kumar',
    ),
  )('do not include %s', (localPart) => {
    expect(lists.role(localPart)).toBe(false);
  });
});

describe('the list files', () => {
  it('ship without spam traps: what traps there are is for the operator to say', () => {
    expect(lists.sizes.spamTraps).toBe(0);
  });

  it('are what a running service reads', async () => {
    const directory = join(config, 'lists');
    const opened = await openListsDirectory({ directory, build: createLists, onProblem: () => undefined });
    opened.close();
    expect(opened.current().sizes).toEqual(lists.sizes);
  });

  it('name each entry once', () => {
    for (const name of ['disposable', 'free', 'never-disposable', 'privacy-relays'])
      expect(new Set(domains(name)).size, name).toBe(domains(name).length);
    const roles = entries('role', files.role, 'role').map((entry) => entry.replace('*', ''));
    expect(new Set(roles).size).toBe(roles.length);
  });

  it('have a source, a size and a date each in SOURCES.md', () => {
    const sources = readFileSync(join(config, 'lists/SOURCES.md'), 'utf8');
    for (const name of readdirSync(join(config, 'lists')).filter((file) => file.endsWith('.txt'))) {
      expect(sources).toContain(`**${name}**`);
      const size = entries(name, text(name.slice(0, -4)), name === 'role.txt' ? 'role' : 'domain or hash').length;
      expect(sources).toMatch(new RegExp(`\\| ${name} \\| ${size} \\| \\d+ \\| \\d{4}-\\d{2}-\\d{2} \\|`));
    }
  });
});
