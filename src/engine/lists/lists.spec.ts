import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Address } from '../types.js';
import { createLists, type ListFiles, NO_LISTS } from './lists.js';

const lists = (files: Partial<ListFiles>): ReturnType<typeof createLists> => createLists({ ...NO_LISTS, ...files });

const address = (normalized: string): Address => {
  const at = normalized.lastIndexOf('@');
  return {
    given: normalized,
    normalized,
    localPart: normalized.slice(0, at),
    domain: normalized.slice(at + 1),
    tag: null,
    needsSmtpUtf8: false,
    literal: null,
    neverResolves: false,
  };
};

describe('a disposable domain', () => {
  const { flagsOfDomain } = lists({
    disposable: 'mailinator.com\ngmail.com\nbad.relay.example\nhosting.example.net\n',
    neverDisposable: 'gmail.com\nmail.hosting.example.net\n',
    privacyRelays: 'relay.example\n',
  });

  it('a disposable domain counts with its subdomains, at label boundaries', () => {
    expect(flagsOfDomain('mailinator.com').disposable).toBe(true);
    expect(flagsOfDomain('sub.mailinator.com').disposable).toBe(true);
    expect(flagsOfDomain('a.b.sub.mailinator.com').disposable).toBe(true);
    expect(flagsOfDomain('notmailinator.com').disposable).toBe(false);
    expect(flagsOfDomain('mailinator.com.example.org').disposable).toBe(false);
    expect(flagsOfDomain('com').disposable).toBe(false);
    expect(flagsOfDomain('').disposable).toBe(false);
    expect(flagsOfDomain('[192.0.2.1]').disposable).toBe(false);
  });

  it('a disposable domain is never a large mailbox provider, even if the list names it', () => {
    expect(flagsOfDomain('gmail.com').disposable).toBe(false);
    expect(flagsOfDomain('sub.gmail.com').disposable).toBe(false);
    expect(flagsOfDomain('hosting.example.net').disposable).toBe(true);
    expect(flagsOfDomain('mail.hosting.example.net').disposable).toBe(false);
  });

  it('a disposable domain is never a privacy relay, even if the list names it', () => {
    expect(flagsOfDomain('relay.example').disposable).toBe(false);
    expect(flagsOfDomain('bad.relay.example').disposable).toBe(false);
  });

  it('a disposable domain is no member of what every JavaScript object has', () => {
    expect(flagsOfDomain('constructor.prototype').disposable).toBe(false);
    expect(flagsOfDomain('__proto__.com').disposable).toBe(false);
  });
});

describe('the other domain lists', () => {
  it('the other domain lists have a free provider on its very domain only, since a customer may own what is below', () => {
    const { flagsOfDomain } = lists({ free: 'usa.com\n' });
    expect(flagsOfDomain('usa.com').free).toBe(true);
    expect(flagsOfDomain('company.usa.com').free).toBe(false);
    expect(flagsOfDomain('com').free).toBe(false);
  });

  it('the other domain lists have a privacy relay with its subdomains, where each user has one', () => {
    const { flagsOfDomain } = lists({ privacyRelays: 'anonaddy.com\n' });
    expect(flagsOfDomain('anonaddy.com').privacyRelay).toBe(true);
    expect(flagsOfDomain('somebody.anonaddy.com').privacyRelay).toBe(true);
    expect(flagsOfDomain('xanonaddy.com').privacyRelay).toBe(false);
  });
});

describe('a spam trap', () => {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const hashes = [sha256('Trap@example.com'), sha256('lower@example.com')].join('\n');
  const { flagsOf } = lists({ spamTraps: `trap.example # a whole domain\n${hashes}\n` });

  it('a spam trap is known by its domain and by the hash of the normalised address', () => {
    expect(flagsOf(address('anybody@trap.example')).spamTrap).toBe(true);
    expect(flagsOf(address('anybody@sub.trap.example')).spamTrap).toBe(true);
    expect(flagsOf(address('Trap@example.com')).spamTrap).toBe(true);
    expect(flagsOf(address('lower@example.com')).spamTrap).toBe(true);
  });

  it('a spam trap is known in any case by the hash of its lower-case form, which is what such lists mostly hold', () => {
    expect(flagsOf(address('Lower@example.com')).spamTrap).toBe(true);
    expect(flagsOf(address('trap@example.com')).spamTrap).toBe(false);
  });

  it('a spam trap is no other address of that domain', () => {
    expect(flagsOf(address('other@example.com')).spamTrap).toBe(false);
    expect(flagsOf(address('anybody@nottrap.example')).spamTrap).toBe(false);
  });

  it('a spam trap is nobody while the list is empty', () => {
    expect(lists({}).flagsOf(address('anybody@example.com')).spamTrap).toBe(false);
  });
});

describe('the lists', () => {
  it('the lists say the same of the thousandth domain as of the first', () => {
    const { flagsOfDomain, mailHost } = lists({
      disposable: 'listed.example\nkept.example\nhost.example\n',
      free: 'free.example\nlisted.example\n',
      privacyRelays: '# why\n  relay.example # who\n',
      neverDisposable: 'kept.example\n',
      spamTraps: 'trap.example\n',
      sharedMailHosts: 'shared.example\n',
    });
    const said = (label: string) => ({
      domains: ['listed', 'kept', 'free', 'relay', 'trap', 'other'].map((name) =>
        flagsOfDomain(`${label}.${name}.example`),
      ),
      exact: flagsOfDomain(label === 'first' ? 'free.example' : 'listed.example').free,
      hosts: ['host', 'shared', 'relay', 'other'].map((name) => mailHost(`${label}.${name}.example`)),
    });
    const first = said('first');
    for (let number = 0; number < 1_000; number += 1) flagsOfDomain(`domain${number}.example`);
    expect(said('last')).toEqual(first);
    expect(first.domains.map(({ disposable }) => disposable)).toEqual([true, false, false, false, false, false]);
    expect(first.hosts.map(({ shared }) => shared)).toEqual([false, true, true, false]);
  });
});

describe('a role', () => {
  const { isRole } = lists({ role: 'info\nsupport\nsales\ncustomer-care\nno-reply*\n+team\n+berlin\n+münchen\n' });

  it('a role is the whole local part, in any case and with any tag', () => {
    for (const name of ['info', 'INFO', 'Info+newsletter', 'support', 'no-reply', 'customer-care', 'support+x'])
      expect(isRole(name), name).toBe(true);
    for (const name of [
      'information',
      'infos',
      'my-info',
      'supporter',
      'no',
      'reply',
      'team',
      'berlin',
      '',
      '+info',
      '"info',
    ])
      expect(isRole(name), name).toBe(false);
  });

  it('a role is a role before further roles, words of the list, codes and numbers', () => {
    for (const name of [
      'info.support',
      'sales-team',
      'support_team+x',
      'Support.Berlin',
      'info-münchen',
      'customer-care-berlin',
      'support-de',
      'sales_uk-team',
      'info.2026',
      'info-2',
      'support.team2',
      'sales.nrw',
      'info--berlin',
      'support.',
    ])
      expect(isRole(name), name).toBe(true);
    for (const name of ['support2', 'de-support', 'team.info', 'berlin.sales']) expect(isRole(name), name).toBe(false);
  });

  it('a role is a person when a name stands behind it', () => {
    for (const name of [
      'info.jane',
      'Support.Smith',
      'sales-lens',
      'info_jane.smith',
      'info.berlin.jane',
      'support-team-ann',
      'info.jane+tag',
      'customer-care.bob',
      'info.иван',
    ])
      expect(isRole(name), name).toBe(false);
  });

  it('a role is a role with a star before anything', () => {
    for (const name of ['no-reply-forms', 'No-Reply.de', 'no-reply.jane', 'no-reply_x7']) {
      expect(isRole(name), name).toBe(true);
    }
    for (const name of ['no.reply', 'no-replyforms']) expect(isRole(name), name).toBe(false);
  });
});

describe('a list file', () => {
  it('a list file may have comments, empty lines, spaces and Windows line ends', () => {
    const { flagsOfDomain } = lists({ disposable: '# throw-away\r\n\r\n  a.example # why\r\nb.example\r\n' });
    expect(flagsOfDomain('a.example').disposable && flagsOfDomain('b.example').disposable).toBe(true);
    expect(flagsOfDomain('why').disposable || flagsOfDomain('# throw-away').disposable).toBe(false);
  });

  it.each<[keyof ListFiles, string]>([
    ['disposable', 'somebody@mailinator.com'],
    ['disposable', 'Mailinator.com'],
    ['disposable', 'mailinator'],
    ['disposable', '*.mailinator.com'],
    ['disposable', 'bücher.example'],
    ['free', 'https://gmail.com'],
    ['privacyRelays', '.duck.com'],
    ['neverDisposable', 'gmail.com,yahoo.com'],
    ['role', 'in fo'],
    ['role', 'Info'],
    ['role', 'in*fo'],
    ['role', '+info*'],
    ['role', '+sales-team'],
    ['role', 'info+'],
    ['spamTraps', 'trap@example.com'],
    ['spamTraps', 'abc123'],
    ['sharedMailHosts', '*.hoster.com'],
    ['disposableMailHosts', 'mx.service.com'],
    ['disposableMailHosts', 'mx.service.com 0'],
    ['disposableMailHosts', 'mx.service.com 5 6'],
    ['disposableMailHosts', 'localhost 5'],
  ])('a list file that has in %s the entry %j is refused, with the line', (file, entry) => {
    expect(() => lists({ [file]: `# comment\n${entry}\n` })).toThrow(/^[a-z-]+\.txt line 2: .+ is not a /);
  });
});
