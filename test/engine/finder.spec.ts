import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { find } from '../support/finder.js';
import { localPartOf, mailboxes, recipients, recipientsPerTransaction } from '../support/mail-scripts.js';
import { startMailWorld, type MailWorldOptions } from '../support/mail-world.js';
import type { ScriptedConnection } from '../support/scripted-smtp-server.js';

const UNKNOWN = '550 5.1.1 User unknown';
const told = ({ email, verdict, reason }: Awaited<ReturnType<typeof find>>) => [email, verdict, reason];

/** Recipients that a connection refused. */
const refusals = ({ lines }: ScriptedConnection) => lines.filter((line) => line.startsWith('RCPT')).length;

async function searched(options: MailWorldOptions, name = 'Jane Doe', domain = 'example.com') {
  const mail = await startMailWorld(options);
  const finding = await find(mail.engine, name, domain);
  return { ...mail, finding };
}

describe('a search', () => {
  it('a search stops at the first acceptance, and says what it tried and what it knows', async () => {
    const { finding, smtp } = await searched({ smtp: { onLine: mailboxes('jdoe') } });
    expect(told(finding)).toEqual(['jdoe@example.com', 'valid', 'mailbox_exists']);
    expect(finding).toMatchObject({ pattern: '{f}{last}', alternatives: [], knownAddresses: 0 });
    expect(finding.confidence).toBeGreaterThan(0.85);
    expect(finding.tried.map(({ candidate }) => candidate.localPart)).toEqual(['jane.doe', 'jdoe']);
    expect(finding.tried[0]!.verification.evidence).toMatchObject({ code: 550, enhanced: '5.1.1' });
    // Two candidates, and one made-up name because nobody knew yet whether every name is accepted.
    expect(smtp.recipients).toHaveLength(3);
    expect(smtp.connections).toHaveLength(1);
  });

  it('a search asks no made-up name again at a domain that it knows', async () => {
    const { engine, smtp } = await searched({ smtp: { onLine: mailboxes('jane.doe', 'john.smith') } });
    const before = smtp.recipients.length;
    expect(told(await find(engine, 'John Smith', 'example.com'))[0]).toBe('john.smith@example.com');
    expect(smtp.recipients.slice(before)).toEqual(['john.smith@example.com']);
  });

  it('a search asks first for what the domain has shown', async () => {
    const mail = await startMailWorld({ smtp: { onLine: mailboxes('doe_jane') } });
    const finding = await find(mail.engine, 'Jane Doe', 'example.com', { seen: new Map([['{last}_{first}', 4]]) });
    expect(finding).toMatchObject({ email: 'doe_jane@example.com', knownAddresses: 4, knownOfPattern: 4 });
    expect(mail.smtp.recipients[0]).toBe('doe_jane@example.com');
  });

  it.each([
    ['jane', 'Jane Doe', '{first}'],
    ['doe', 'Jane Doe', '{last}'],
  ])('a search does not call %s valid, because it may be somebody else’s', async (localPart, name, pattern) => {
    const { finding } = await searched({ smtp: { onLine: mailboxes(localPart) } }, name);
    expect(told(finding)).toEqual([`${localPart}@example.com`, 'risky', 'shared_local_part']);
    expect(finding.pattern).toBe(pattern);
    expect(finding.alternatives).toHaveLength(3);
  });

  it('a search on a catch-all gives its best guess as risky, with alternatives', async () => {
    const { finding, smtp } = await searched({});
    expect(told(finding)).toEqual(['jane.doe@example.com', 'risky', 'catch_all']);
    expect(finding.confidence).toBeLessThan(0.5);
    expect(finding.alternatives.map(({ email }) => email)).toEqual(
      ['jdoe', 'jane', 'janed'].map((name) => `${name}@example.com`),
    );
    expect(smtp.recipients).toHaveLength(3);
  });

  it('a search is not sure of an acceptance where the made-up name gets no clear answer', async () => {
    const script = recipients((name) => (name === 'jane.doe' ? undefined : '451 4.3.0 Try later'));
    expect(told((await searched({ smtp: script })).finding)).toEqual([
      'jane.doe@example.com',
      'risky',
      'catch_all_undetermined',
    ]);
  });

  it('a search at an operator who hides mailboxes asks nobody and says so', async () => {
    const zones = {
      'example.com': { MX: [[1, 'mta5.am0.yahoodns.net']] },
      'mta5.am0.yahoodns.net': { A: ['127.0.0.1'] },
    };
    const { finding, smtp } = await searched({ zones: zones as never });
    expect(told(finding)).toEqual(['jane.doe@example.com', 'unknown', 'provider_hides_mailboxes']);
    expect(finding.confidence).toBeLessThan(0.3);
    expect(smtp.connections).toHaveLength(0);
  });

  it.each([
    ['greylisted', '451 4.7.1 Greylisted, please come back later'],
    ['ip_blocked', '554 5.7.1 Client host blocked using zen.spamhaus.org'],
  ])('a search stops where the server answers %s, with the best guess', async (reason, reply) => {
    const { finding, smtp } = await searched({ smtp: recipients(() => reply) });
    expect(told(finding)).toEqual(['jane.doe@example.com', 'unknown', reason]);
    expect(finding.confidence).toBeLessThan(0.3);
    expect(smtp.recipients.length).toBeLessThanOrEqual(2);
  });

  it('a search finds nothing at a domain without mail', async () => {
    const { finding } = await searched({ zones: { 'gone.example.com': 'nxdomain' } }, 'Jane Doe', 'gone.example.com');
    expect(told(finding)).toEqual([null, 'invalid', 'domain_not_found']);
    expect(finding.confidence).toBeGreaterThan(0.9);
  });

  it('a search says how much of what is usual it has tried when nobody is there', async () => {
    const { finding, smtp } = await searched({ smtp: { onLine: mailboxes() } });
    expect(told(finding)).toEqual([null, 'invalid', 'no_candidate_exists']);
    expect(finding.confidence).toBeGreaterThan(0.8);
    expect(smtp.recipients).toHaveLength(11);
  });

  it('a search cannot search for a name without letters', async () => {
    const { finding, smtp } = await searched({}, '– 12 –');
    expect(told(finding)).toEqual([null, 'unknown', 'name_unreadable']);
    expect(smtp.connections).toHaveLength(0);
  });

  it('a search asks no server about a person who asked not to be found', async () => {
    const mail = await startMailWorld({ smtp: { onLine: mailboxes('jdoe', 'jane.doe') } });
    const suppressed = () => Promise.resolve(new Set(['j.doe@example.com']));
    expect(told(await find(mail.engine, 'Jane Doe', 'example.com', { suppressed }))).toEqual([
      null,
      'unknown',
      'suppressed',
    ]);
    expect(mail.smtp.connections).toHaveLength(0);
  });

  it('a search omits an address that might belong to a person who asked not to be found', async () => {
    const mail = await startMailWorld({ smtp: { onLine: mailboxes('jane', 'janed') } });
    const suppressed = () => Promise.resolve(new Set(['jane@example.com']));
    expect((await find(mail.engine, 'Jane Doe', 'example.com', { suppressed })).email).toBe('janed@example.com');
    expect(mail.smtp.recipients).not.toContain('jane@example.com');
  });

  it('a search passes over task mailboxes and spam traps', async () => {
    const lists = {
      role: 'jdoe\n',
      spamTraps: `${createHash('sha256').update('jane.doe@example.com').digest('hex')}\n`,
    };
    const { finding, smtp } = await searched({ lists, smtp: { onLine: mailboxes('jane.doe', 'jdoe', 'janed') } });
    expect(finding.email).toBe('janed@example.com');
    expect(smtp.recipients).not.toContain('jdoe@example.com');
  });

  it('a search ends with its time, with the best guess', async () => {
    const mail = await startMailWorld({ smtp: recipients((name) => (name === 'jane.doe' ? UNKNOWN : null)) });
    const finding = find(mail.engine, 'Jane Doe', 'example.com', { budgetMs: 400 });
    expect(told(await finding)).toEqual(['jdoe@example.com', 'unknown', 'smtp_timeout']);
  });

  it('a search knows which domains give mailboxes to anybody', async () => {
    const lists = { free: 'free.example\n', disposable: 'away.example\n', privacyRelays: 'relay.example\n' };
    const { engine } = await startMailWorld({ lists });
    const domains = ['free.example', 'away.example', 'relay.example', 'example.com'];
    expect(domains.map((domain) => engine.isPublicMailDomain(domain))).toEqual([true, true, true, false]);
  });
});

describe('the sink sees at most 12 recipients for a person', () => {
  it.each<[string, MailWorldOptions['smtp']]>([
    ['that refuses everybody', { onLine: mailboxes() }],
    [
      'that hangs up at each recipient',
      {
        onLine: (line, connection) => {
          if (localPartOf(line) === null) return undefined;
          connection.reset();
          return null;
        },
      },
    ],
    [
      'that hangs up at every second recipient',
      {
        onLine: (line, connection) => {
          if (localPartOf(line) === null) return undefined;
          if (connection.lines.filter((own) => own.startsWith('RCPT')).length < 2) return UNKNOWN;
          connection.reset();
          return null;
        },
      },
    ],
    ['that always finds our sender at fault', recipients(() => '550 5.1.8 Sender address rejected: Domain not found')],
    ['that says too many recipients', recipients(() => '452 4.5.3 Too many recipients')],
    ['that refuses without a reason', recipients((name) => (name === 'postmaster' ? undefined : '550 Rejected'))],
    ['that accepts one of the last', { onLine: mailboxes('jane-doe') }],
  ])('the sink sees at most 12 recipients for a person of a server %s', async (_, smtp) => {
    const { smtp: server } = await searched({ smtp: smtp! });
    expect(server.recipients.length).toBeGreaterThan(0);
    expect(server.recipients.length).toBeLessThanOrEqual(12);
    for (const connection of server.connections) {
      // The caps of a mail host without an operator, in `config/mail-providers.json`.
      expect(refusals(connection)).toBeLessThanOrEqual(9);
      expect(Math.max(0, ...recipientsPerTransaction(connection))).toBeLessThanOrEqual(10);
    }
  });

  it('the sink sees at most 12 recipients for a person and never more connections at once than the operator tolerates, with any number of searches', async () => {
    let [open, most] = [0, 0];
    const mail = await startMailWorld({
      smtp: {
        onConnect: () => {
          open += 1;
          most = Math.max(most, open);
          return undefined;
        },
        onLine: (line) => {
          if (line === 'QUIT') open -= 1;
          return localPartOf(line) === null ? undefined : UNKNOWN;
        },
      },
    });
    const names = Array.from(
      { length: 30 },
      (_, i) => `Jane Doe${String.fromCharCode(97 + (i % 26))}${i > 25 ? 'x' : ''}`,
    );
    await Promise.all(names.map((name) => find(mail.engine, name, 'example.com')));
    expect(mail.smtp.recipients.length).toBeLessThanOrEqual(12 * names.length);
    expect(most).toBeLessThanOrEqual(5);
  });
});
