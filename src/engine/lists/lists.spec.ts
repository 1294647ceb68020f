import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Address } from '../types.js';
import { createLists, type ListFiles } from './lists.js';

const NOTHING: ListFiles = {
  disposable: '',
  free: '',
  role: '',
  privacyRelays: '',
  neverDisposable: '',
  spamTraps: '',
};
const lists = (files: Partial<ListFiles>): ReturnType<typeof createLists> => createLists({ ...NOTHING, ...files });

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
  const { ofDomain } = lists({
    disposable: 'mailinator.com\ngmail.com\nbad.relay.example\nhosting.example.net\n',
    neverDisposable: 'gmail.com\nmail.hosting.example.net\n',
    privacyRelays: 'relay.example\n',
  });

  it('counts with its subdomains, at label boundaries', () => {
    expect(ofDomain('mailinator.com').disposable).toBe(true);
    expect(ofDomain('sub.mailinator.com').disposable).toBe(true);
    expect(ofDomain('a.b.sub.mailinator.com').disposable).toBe(true);
    expect(ofDomain('notmailinator.com').disposable).toBe(false);
    expect(ofDomain('mailinator.com.example.org').disposable).toBe(false);
    expect(ofDomain('com').disposable).toBe(false);
    expect(ofDomain('').disposable).toBe(false);
    expect(ofDomain('[192.0.2.1]').disposable).toBe(false);
  });

  it('is never a large mailbox provider, whatever the list says', () => {
    expect(ofDomain('gmail.com').disposable).toBe(false);
    expect(ofDomain('sub.gmail.com').disposable).toBe(false);
    expect(ofDomain('hosting.example.net').disposable).toBe(true);
    expect(ofDomain('mail.hosting.example.net').disposable).toBe(false);
  });

  it('is never a privacy relay, whatever the list says', () => {
    expect(ofDomain('relay.example').disposable).toBe(false);
    expect(ofDomain('bad.relay.example').disposable).toBe(false);
  });

  it('is no member of what every JavaScript object has', () => {
    expect(ofDomain('constructor.prototype').disposable).toBe(false);
    expect(ofDomain('__proto__.com').disposable).toBe(false);
  });
});

describe('the other domain lists', () => {
  it('have a free provider on its very domain only, since a customer may own what is below', () => {
    const { ofDomain } = lists({ free: 'usa.com\n' });
    expect(ofDomain('usa.com').free).toBe(true);
    expect(ofDomain('company.usa.com').free).toBe(false);
    expect(ofDomain('com').free).toBe(false);
  });

  it('have a privacy relay with its subdomains, where each user has one', () => {
    const { ofDomain } = lists({ privacyRelays: 'anonaddy.com\n' });
    expect(ofDomain('anonaddy.com').privacyRelay).toBe(true);
    expect(ofDomain('somebody.anonaddy.com').privacyRelay).toBe(true);
    expect(ofDomain('xanonaddy.com').privacyRelay).toBe(false);
  });
});

describe('a spam trap', () => {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const hashes = [sha256('Trap@example.com'), sha256('lower@example.com')].join('\n');
  const { of } = lists({ spamTraps: `trap.example # a whole domain\n${hashes}\n` });

  it('is known by its domain and by the hash of the normalised address', () => {
    expect(of(address('anybody@trap.example')).spamTrap).toBe(true);
    expect(of(address('anybody@sub.trap.example')).spamTrap).toBe(true);
    expect(of(address('Trap@example.com')).spamTrap).toBe(true);
    expect(of(address('lower@example.com')).spamTrap).toBe(true);
  });

  it('is known in any case by the hash of its lower-case form, which is what such lists mostly hold', () => {
    expect(of(address('Lower@example.com')).spamTrap).toBe(true);
    expect(of(address('trap@example.com')).spamTrap).toBe(false);
  });

  it('is no other address of that domain', () => {
    expect(of(address('other@example.com')).spamTrap).toBe(false);
    expect(of(address('anybody@nottrap.example')).spamTrap).toBe(false);
  });

  it('is nobody while the list is empty', () => {
    expect(lists({}).of(address('anybody@example.com')).spamTrap).toBe(false);
  });
});

describe('a role', () => {
  const { role } = lists({ role: 'info\nsupport*\nno-reply*\n' });

  it('is the whole local part, in any case and with any tag', () => {
    for (const name of ['info', 'INFO', 'Info+newsletter', 'support', 'no-reply']) expect(role(name), name).toBe(true);
    for (const name of [
      'information',
      'infos',
      'my-info',
      'info-desk',
      'supporter',
      'no',
      'reply',
      '',
      '+info',
      '"info',
    ])
      expect(role(name), name).toBe(false);
  });

  it('is a word with a star also before a separator', () => {
    for (const name of ['support-de', 'support.emea', 'support_team+x', 'no-reply-forms', 'No-Reply.de'])
      expect(role(name), name).toBe(true);
    for (const name of ['support2', 'de-support', 'no.reply']) expect(role(name), name).toBe(false);
  });
});

describe('a list file', () => {
  it('may have comments, empty lines, spaces and Windows line ends', () => {
    const { ofDomain, sizes } = lists({ disposable: '# throw-away\r\n\r\n  a.example # why\r\nb.example\r\n' });
    expect(ofDomain('a.example').disposable && ofDomain('b.example').disposable).toBe(true);
    expect(sizes.disposable).toBe(2);
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
    ['spamTraps', 'trap@example.com'],
    ['spamTraps', 'abc123'],
  ])('that has in %s the entry %j is refused, with the line', (file, entry) => {
    expect(() => lists({ [file]: `# comment\n${entry}\n` })).toThrow(/^[a-z-]+\.txt line 2: .+ is not a /);
  });
});
