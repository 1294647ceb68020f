import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPublicSuffix } from 'tldts';
import { describe, expect, it } from 'vitest';
import { type EntryKind, ListFile } from '../../src/engine/lists/list-files.js';
import { createLists } from '../../src/engine/lists/lists.js';
import { LOOK_ALIKE_DOMAINS } from '../../src/engine/syntax/popular-domains.js';
import { nearestPopular } from '../../src/engine/syntax/suggest.js';
import { NO_PROVIDER } from '../../src/batch/model/chunk-result.js';
import { parseMailProviders } from '../../src/engine/lists/providers.js';
import { openListsDirectory } from '../../src/verify/ports/lists-directory.js';

const config = join(import.meta.dirname, '../../config');
const text = (name: string): string => readFileSync(join(config, 'lists', `${name}.txt`), 'utf8');
const words = (...lines: string[]): string[] => lines.flatMap((line) => line.split(' '));
const entries = (...file: ConstructorParameters<typeof ListFile>): readonly string[] => new ListFile(...file).entries();
const domains = (name: string): readonly string[] => entries(name, text(name), 'domain');

const files = {
  disposable: text('disposable'),
  free: text('free'),
  role: text('role'),
  privacyRelays: text('privacy-relays'),
  neverDisposable: text('never-disposable'),
  spamTraps: text('spam-traps'),
  disposableMailHosts: text('disposable-mail-hosts'),
  sharedMailHosts: text('shared-mail-hosts'),
};
const lists = createLists(files);
const KINDS: Readonly<Record<string, EntryKind>> = {
  'role.txt': 'role',
  'disposable-mail-hosts.txt': 'host with count',
};
const providers = parseMailProviders(JSON.parse(readFileSync(join(config, 'mail-providers.json'), 'utf8')));

it('no mail operator is called as the rows of those without a name are asked for', () => {
  for (const { title } of providers.all) expect(title?.toLowerCase()).not.toBe(NO_PROVIDER);
});

describe('the largest mailbox providers', () => {
  it('the largest mailbox providers are at least 500 names', () => {
    expect(domains('never-disposable').length).toBeGreaterThanOrEqual(500);
  });

  it('the largest mailbox providers are not in the list of disposable domains, nor is a parent of one', () => {
    for (const domain of domains('never-disposable'))
      expect(lists.flagsOfDomain(domain).disposable, domain).toBe(false);
    const unguarded = createLists({ ...files, neverDisposable: '' });
    for (const domain of domains('never-disposable'))
      expect(unguarded.flagsOfDomain(domain).disposable, domain).toBe(false);
  });

  it('the largest mailbox providers stay not disposable when a list is made to say that they are', () => {
    const hostile = createLists({ ...files, disposable: `${files.disposable}\n${files.neverDisposable}` });
    for (const domain of domains('never-disposable')) {
      expect(hostile.flagsOfDomain(domain).disposable, domain).toBe(false);
      expect(hostile.flagsOfDomain(`mail.${domain}`).disposable, domain).toBe(false);
    }
  });

  it('the largest mailbox providers include every domain of a known operator', () => {
    const never = new Set(domains('never-disposable'));
    for (const { domains: own } of providers.all) for (const domain of own) expect(never, domain).toContain(domain);
  });

  it('the largest mailbox providers are the ones that everybody knows', () => {
    const known =
      'gmail.com outlook.com hotmail.com yahoo.com icloud.com aol.com gmx.de web.de mail.ru yandex.ru qq.com 163.com';
    for (const domain of words(known)) {
      expect(lists.flagsOfDomain(domain).disposable, domain).toBe(false);
      expect(lists.flagsOfDomain(domain).free, domain).toBe(true);
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
    expect(lists.flagsOfDomain(domain).privacyRelay).toBe(true);
    expect(lists.flagsOfDomain(domain).disposable).toBe(false);
  });

  it('privacy relays are told apart from large providers, which are none', () => {
    for (const domain of ['gmail.com', 'icloud.com', 'appleid.com', 'proton.me', 'mozilla.org'])
      expect(lists.flagsOfDomain(domain).privacyRelay, domain).toBe(false);
    for (const domain of domains('privacy-relays')) expect(domains('never-disposable')).not.toContain(domain);
  });

  it('privacy relays stay not disposable when a list is made to say that they are', () => {
    const hostile = createLists({ ...files, disposable: files.privacyRelays });
    for (const domain of domains('privacy-relays'))
      expect(hostile.flagsOfDomain(domain).disposable, domain).toBe(false);
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
  )('disposable domains include %s', (domain) => {
    expect(lists.flagsOfDomain(domain).disposable).toBe(true);
  });

  it('disposable domains do not include what only looks like one, is an employer, or is a school', () => {
    const honest =
      'google.com microsoft.com example.com github.com mozilla.org nus.edu.sg consultant.com cock.li zoho.com';
    for (const domain of words(honest)) expect(lists.flagsOfDomain(domain).disposable, domain).toBe(false);
  });

  it('disposable domains include no name under which anybody may register a domain', () => {
    for (const domain of domains('disposable'))
      expect(getPublicSuffix(domain, { allowPrivateDomains: true }), domain).not.toBe(domain);
  });
});

describe('mail hosts of throw-away services', () => {
  const hosts = entries('disposable-mail-hosts', files.disposableMailHosts, 'host with count');
  const isShared = (host: string): boolean =>
    lists.mailHost(host).shared || providers.forMailHost(host) !== providers.fallback;

  it("mail hosts of throw-away services are not those at which all sorts of customers take their mail, nor an operator's", () => {
    for (const entry of hosts) expect(isShared(entry.split(' ')[0]!), entry).toBe(false);
  });

  it('mail hosts of throw-away services include those of the best known', () => {
    for (const host of words('smtp.yopmail.com mail.mailinator.com emailfake.com in.mail.tm mail.wabblywabble.com')) {
      const { disposable, disposableDomains } = lists.mailHost(host);
      expect(disposable || disposableDomains >= 5, host).toBe(true);
    }
  });

  it.each(
    words(
      'eforward1.registrar-servers.com smtp.secureserver.net mx1.mail.ovh.net mx00.kundenserver.de mx1.hostinger.com',
      'mx1.improvmx.com mx1.forwardemail.net route1.mx.cloudflare.net mx.zoho.com mxa.mailgun.org mx.sendgrid.net',
      'inbound-smtp.eu-west-1.amazonaws.com mx1.privateemail.com spool.mail.gandi.net mx1.one.com smtp.rzone.de',
      'mx.aruba.it mx.yandex.net mx1.dreamhost.com mx.bluehost.com gateway1.unifiedlayer.com',
      'mx10.antispam.mailspamprotection.com mx1.titan.email aspmx1.migadu.com arrow.mxrouting.net',
      'in1-smtp.messagingengine.com mail.protonmail.ch mxext1.mailbox.org mx1.simplelogin.co mail.anonaddy.me',
      'mail.h-email.net park-mx.above.com',
    ),
  )('mail hosts of throw-away services are not %s, where anybody may be a customer', (host) => {
    expect(isShared(host)).toBe(true);
  });
});

describe('free providers', () => {
  it('free providers include no disposable domain and no privacy relay', () => {
    for (const domain of domains('free')) {
      expect(lists.flagsOfDomain(domain).disposable, domain).toBe(false);
      expect(lists.flagsOfDomain(domain).privacyRelay, domain).toBe(false);
    }
  });

  it('free providers include those that the packages lack', () => {
    for (const domain of ['hey.com', 'tutanota.com', 'tuta.com', 'mailbox.org', 'proton.me', 'posteo.de'])
      expect(lists.flagsOfDomain(domain).free, domain).toBe(true);
  });

  it('free providers include no misspelling of another: those that are corrected but for this list are real', () => {
    const corrected = domains('free').filter(
      (domain) => !LOOK_ALIKE_DOMAINS.has(domain) && (nearestPopular(domain) ?? domain) !== domain,
    );
    expect(corrected).toEqual(['fast-email.com', 'hanmail2.net']);
  });

  it('free providers do not include employers', () => {
    const employers =
      'google.com microsoft.com apple.com amazon.com ibm.com siemens.com mit.edu bbc.co.uk facebook.com alibaba.com';
    for (const domain of words(employers)) expect(lists.flagsOfDomain(domain).free, domain).toBe(false);
  });
});

describe('roles', () => {
  it.each(
    words(
      'info support sales admin postmaster abuse webmaster hostmaster security noc billing hr careers jobs',
      'noreply no-reply do-not-reply newsletter press office contact kontakt contacto contato ventas vendas',
      'soporte buchhaltung bewerbung facturation comptabilite amministrazione klantenservice biuro',
      'info+spring INFO support-de billing.emea noreply-dmarc sales_uk help team',
      'info.support sales-team support+x sales.paris info-münchen contact.english jobs-berlin office_2 hr.emea',
      'team.sales customer-service-nl noreply.forms mairie.bourg datenschutz.meier support.fr-team info.2026',
    ),
  )('roles include %s', (localPart) => {
    expect(lists.isRole(localPart)).toBe(true);
  });

  it.each(
    words(
      'alexa paris sydney dev me abc china berlin john john.smith anna maria jd mohamed wei chelsea grant',
      'bill mark will hope faith joy rose dean bishop steve.jobs info4u2day supportive',
      'paypal facebook gardner 2024 test2 it.smith hr.pufnstuf pr.kumar',
      'info.jane admin.smith contact.lens sales-bob support_anna.meier office.maria kontakt.müller info.jordan',
      'london.office berlin english emea paris.sales',
    ),
  )('roles do not include %s', (localPart) => {
    expect(lists.isRole(localPart)).toBe(false);
  });
});

describe('the list files', () => {
  it('the list files ship without spam traps: what traps there are is for the operator to say', () => {
    expect(entries('spam-traps', files.spamTraps, 'domain or hash')).toEqual([]);
  });

  it('the list files are what a running service reads', async () => {
    const directory = join(config, 'lists');
    const opened = await openListsDirectory({ directory, build: (texts) => texts, onProblem: () => undefined });
    opened.close();
    expect(opened.current()).toEqual(files);
  });

  it('the list files name each entry once', () => {
    for (const name of ['disposable', 'free', 'never-disposable', 'privacy-relays', 'shared-mail-hosts'])
      expect(new Set(domains(name)).size, name).toBe(domains(name).length);
    const roles = entries('role', files.role, 'role').map((entry) => entry.replace(/[+*]/, ''));
    expect(new Set(roles).size).toBe(roles.length);
  });

  it('the list files have a source, a size and a date each in SOURCES.md', () => {
    const sources = readFileSync(join(config, 'lists/SOURCES.md'), 'utf8');
    for (const name of readdirSync(join(config, 'lists')).filter((file) => file.endsWith('.txt'))) {
      expect(sources).toContain(`**${name}**`);
      const size = entries(name, text(name.slice(0, -4)), KINDS[name] ?? 'domain or hash').length;
      expect(sources).toMatch(new RegExp(`\\| ${name} \\| ${size} \\| \\d+ \\| \\d{4}-\\d{2}-\\d{2} \\|`));
    }
  });
});
