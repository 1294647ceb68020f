import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../lib/durations.js';
import type { DnsAnswer } from './domain-dns.js';
import { askList, type ListDns, testList } from './ask-list.js';
import { accessTo, type Blacklist, parseBlacklists } from './blacklist-row.js';
import { readListAnswer, worstOf } from './list-answer.js';
import { questionName, readTarget, type Target } from './targets.js';

const path = join(import.meta.dirname, '../../config/blacklists.json');
const rows = (): Record<string, Record<string, unknown>> => JSON.parse(readFileSync(path, 'utf8'));
const LISTS = parseBlacklists(rows());
const listed = (id: string): Blacklist => LISTS.find((one) => one.id === id)!;
const found = (...records: string[]): DnsAnswer<string> => ({ outcome: 'found', records, ttlSeconds: 60 });
const PSBL = listed('psbl');

describe('the rows of config/blacklists.json', () => {
  it.each([
    'sorbs.net',
    'ix.dnsbl.manitu.net',
    'db.wpbl.info',
    'msrbl.net',
    'virbl.bit.nl',
    'virbl.dnsbl.bit.nl',
    'dnsbl.inps.de',
    'rbl.megarbl.net',
    'bl.emailbasura.org',
    'ubl.unsubscore.com',
    'dnsbl.cyberlogic.net',
    'wormrbl.imp.ch',
    'ahbl.org',
    'list.dsbl.org',
    'relays.ordb.org',
    'bl.spamcannibal.org',
    'cidr.bl.mcafee.com',
    'cbl.abuseat.org',
  ])('the rows of config/blacklists.json do not name %s, which is dead and would list the world', (dead) => {
    const isOf = (zone: string | null) => zone === dead || zone?.endsWith(`.${dead}`) === true;
    expect(LISTS.filter(({ zone, freeZone }) => isOf(zone) || isOf(freeZone))).toEqual([]);
  });

  it('the rows of config/blacklists.json ask by default only lists whose terms somebody has read and which say that a paid service may', () => {
    const byDefault = LISTS.filter(({ use }) => use === 'on');
    expect(byDefault.map(({ id }) => id)).toEqual(['psbl', 'nordspam', 'nordspam-dbl', 'dronebl']);
    expect(byDefault.filter(({ readAt }) => readAt === null)).toEqual([]);
  });

  it('the rows of config/blacklists.json were read within the last year', () => {
    const oldest = LISTS.flatMap(({ readAt }) => (readAt === null ? [] : [Date.parse(readAt)]));
    expect(Math.min(...oldest)).toBeGreaterThan(Date.now() - 366 * DAY_MS);
  });

  it('the rows of config/blacklists.json have the severity of their worst answer', () => {
    for (const { id, severity, answers } of LISTS)
      expect(`${id} ${severity}`).toBe(`${id} ${worstOf(answers.map((one) => one.severity))}`);
  });

  it.each<[string, (row: Record<string, unknown>) => void, string]>([
    ['a zone with a path', (row) => (row['zone'] = 'bl.example.com/x'), 'psbl.zone'],
    ['a member that nobody reads', (row) => (row['colour'] = 'red'), 'psbl.colour: there is no such member'],
    ['a code outside 127.0.0.0/8', (row) => (row['refusals'] = ['192.0.2.1']), 'psbl.refusals[0]'],
    [
      'a test point of another family',
      (row) => (row['testPoints'] = { ipv4: { listed: '::1', clean: '::2' } }),
      'ipv4',
    ],
    ['a key without a place for it', (row) => (row['key'] = 'abusix'), 'psbl.key'],
    ['no answers', (row) => (row['answers'] = []), 'psbl.answers'],
  ])('the rows of config/blacklists.json are refused with %s', (_, change, words) => {
    const wrong = rows();
    change(wrong['psbl']!);
    expect(() => parseBlacklists(wrong)).toThrow(words);
  });
});

describe('a target', () => {
  it.each<[string, Target]>([
    ['8.8.4.4', { kind: 'ipv4', value: '8.8.4.4' }],
    ['2A00:1450:4001:0800::0200E', { kind: 'ipv6', value: '' }],
    ['2A00:1450:4001:0800::200E', { kind: 'ipv6', value: '2a00:1450:4001:800::200e' }],
    ['::ffff:8.8.4.4', { kind: 'ipv4', value: '8.8.4.4' }],
    ['Example.COM.', { kind: 'domain', value: 'example.com' }],
    ['bücher.example', { kind: 'domain', value: 'xn--bcher-kva.example' }],
    ['mail.example.co.uk', { kind: 'domain', value: 'mail.example.co.uk' }],
  ])('%s is read', (text, target) => {
    if (target.value === '') expect(readTarget(text)).toBe('malformed');
    else expect(readTarget(text)).toEqual(target);
  });

  it.each([
    ['', 'malformed'],
    ['localhost', 'malformed'],
    ['com', 'malformed'],
    ['co.uk', 'public_suffix'],
    ['1.2.3', 'malformed'],
    ['http://example.com/', 'malformed'],
    ['fe80::1%eth0', 'malformed'],
    ['a'.repeat(5_000), 'malformed'],
    ['10.0.0.1', 'private'],
    ['127.0.0.2', 'private'],
    ['192.0.2.1', 'private'],
    ['::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
  ])('%j is none: %s', (text, problem) => {
    expect(readTarget(text)).toBe(problem);
  });

  it('a target is asked about by its octets, its nibbles or its name, the last part first where it is an address', () => {
    expect(questionName({ kind: 'ipv4', value: '192.0.2.25' }, 'bl.test')).toBe('25.2.0.192.bl.test');
    expect(questionName({ kind: 'domain', value: 'example.com' }, 'bl.test')).toBe('example.com.bl.test');
    // The example of RFC 5782 section 2.4.
    expect(questionName({ kind: 'ipv6', value: '2001:db8:1:2:3:4:567:89ab' }, 'ugly.example.com')).toBe(
      'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.8.b.d.0.1.0.0.2.ugly.example.com',
    );
    const point = `2.0.0.0.0.0.f.7.f.f.f.f.${'0.'.repeat(20)}bl.test`;
    expect(questionName({ kind: 'ipv6', value: '::ffff:7f00:2' }, 'bl.test')).toBe(point);
    expect(questionName({ kind: 'ipv6', value: '::ffff:127.0.0.2' }, 'bl.test')).toBe(point);
    expect(questionName({ kind: 'domain', value: `${'a.'.repeat(120)}example.com` }, 'bl.example')).toBeNull();
  });
});

describe("a list's answer", () => {
  it.each<[string, string, DnsAnswer<string>, object]>([
    ['a known code is a listing', 'psbl', found('127.0.0.2'), { status: 'listed', codes: ['127.0.0.2'] }],
    ['NXDOMAIN is none', 'psbl', { outcome: 'nxdomain' }, { status: 'not_listed' }],
    ['NODATA is none', 'psbl', { outcome: 'nodata' }, { status: 'not_listed' }],
    ['silence is no answer', 'psbl', { outcome: 'timeout' }, { status: 'no_answer', why: 'timeout' }],
    ['SERVFAIL is no answer', 'psbl', { outcome: 'servfail' }, { status: 'no_answer', why: 'servfail' }],
    ['a resolver that lies is no answer', 'psbl', { outcome: 'untrusted' }, { status: 'no_answer', why: 'untrusted' }],
    ['a parked domain lists nobody', 'psbl', found('203.0.113.9'), { status: 'unhealthy', why: 'outside_loopback' }],
    ['one address outside is enough', 'psbl', found('127.0.0.2', '8.8.8.8'), { status: 'unhealthy' }],
    ['a public resolver is refused', 'psbl', found('127.255.255.254'), { status: 'refused', why: 'public_resolver' }],
    [
      'so are too many questions',
      'dronebl',
      found('127.255.255.255'),
      { status: 'refused', why: 'too_many_questions' },
    ],
    ['a mistyped zone too', 'spamhaus-zen', found('127.255.255.252'), { status: 'refused', why: 'wrong_question' }],
    ['a code of its own refuses', 'uribl', found('127.0.0.1'), { status: 'refused', why: 'refused' }],
    ['DBL refuses addresses', 'spamhaus-dbl', found('127.0.1.255'), { status: 'refused' }],
    ['an unknown code is no listing', 'psbl', found('127.0.0.77'), { status: 'unknown_code', codes: ['127.0.0.77'] }],
    ['a code between two ranges is unknown', 'spamhaus-zen', found('127.0.0.8'), { status: 'unknown_code' }],
    ['bits of another octet are unknown', 'surbl', found('127.0.64.1'), { status: 'unknown_code' }],
  ])('%s', (_, id, answer, reading) => {
    expect(readListAnswer(listed(id), answer, true)).toMatchObject(reading);
  });

  it.each([
    ['spamhaus-zen', ['127.0.0.2', '127.0.0.9'], ['sbl', 'drop']],
    ['spamhaus-zen', ['127.0.0.11', '127.0.0.4'], ['xbl', 'pbl']],
    ['spamhaus-dbl', ['127.0.1.104'], ['abused_legitimate_domain']],
    ['spamhaus-zrd', ['127.0.2.24'], ['newly_seen_domain']],
    ['surbl', ['127.0.0.80'], ['malware_domain', 'spam_domain']],
    ['uribl', ['127.0.0.10'], ['black', 'red']],
    ['psbl', ['127.0.0.2', '127.0.0.99'], ['spam_trap_hit']],
  ])('%s: %j means %j', (id, codes, meanings) => {
    const reading = readListAnswer(listed(id), found(...codes), true);
    expect(reading.status === 'listed' && reading.found.map(({ meaning }) => meaning)).toEqual(meanings);
  });

  it("a list's answer that is an absence says nothing until the test points have shown that the list works", () => {
    expect(readListAnswer(PSBL, { outcome: 'nxdomain' }, false)).toEqual({ status: 'no_answer', why: 'unproven' });
  });
});

describe('the right to ask a list', () => {
  const NOTHING = { keys: {}, agreed: [], isNonCommercial: false };
  it.each<[string, object, object]>([
    ['psbl', {}, { zone: 'psbl.surriel.com' }],
    ['spamhaus-zen', {}, { refusal: 'needs_key' }],
    ['spamhaus-zen', { keys: { spamhaus: 'k1' } }, { zone: 'k1.zen.dq.spamhaus.net' }],
    ['spamhaus-zen', { isNonCommercial: true }, { zone: 'zen.spamhaus.org' }],
    ['spamhaus-zrd', { isNonCommercial: true }, { refusal: 'needs_key' }],
    ['barracuda', {}, { refusal: 'needs_key' }],
    ['barracuda', { agreed: ['barracuda'] }, { zone: 'b.barracudacentral.org' }],
    ['spamcop', {}, { refusal: 'turned_off' }],
    ['spamcop', { agreed: ['spamcop'] }, { zone: 'bl.spamcop.net' }],
  ])('%s with %j is %j', (id, agreements, access) => {
    expect(accessTo(listed(id), { ...NOTHING, ...agreements })).toEqual(access);
  });
});

describe('a question to a list', () => {
  const TARGET: Target = { kind: 'ipv4', value: '192.0.2.25' };
  const NAME = '25.2.0.192.psbl.surriel.com';
  const HEALTHY = { '2.0.0.127.psbl.surriel.com': found('127.0.0.2') };
  const OPEN = { list: PSBL, zone: PSBL.zone };

  /** Answers by name; a list of them by attempt. */
  const dnsOf = (answers: Record<string, DnsAnswer<string> | DnsAnswer<string>[]>, words = found('why')): ListDns => ({
    a: (name, attempt) => {
      const answer = answers[name] ?? { outcome: 'nxdomain' };
      return Promise.resolve(Array.isArray(answer) ? answer[attempt]! : answer);
    },
    txt: () => Promise.resolve(words),
  });

  it('a question to a list finds a listing when it is there twice and the test points are right at that moment', async () => {
    const dns = dnsOf({ ...HEALTHY, [NAME]: found('127.0.0.2') }, found('Seen\u0000 in\n a trap'));
    expect(await askList(OPEN, TARGET, dns, true)).toMatchObject({ status: 'listed', reason: 'Seen in a trap' });
  });

  it.each([
    ['a list that has begun to list the world', { '*': true }, 'lists_everything'],
    ['a list that has lost its test point', {}, 'test_point_missing'],
  ])('a question to a list does not believe %s', async (_, world, why) => {
    const everything: ListDns = {
      a: () => Promise.resolve(found('127.0.0.2')),
      txt: () => Promise.resolve(found('x')),
    };
    const dns = '*' in world ? everything : dnsOf({ [NAME]: found('127.0.0.2') });
    const finding = await askList(OPEN, TARGET, dns, true);
    expect(finding).toMatchObject({ status: 'unconfirmed', proof: { state: 'unhealthy', why } });
  });

  it('a question to a list does not believe an answer that is gone a moment later', async () => {
    const dns = dnsOf({ ...HEALTHY, [NAME]: [found('127.0.0.2'), { outcome: 'nxdomain' }] });
    expect(await askList(OPEN, TARGET, dns, true)).toMatchObject({ status: 'unconfirmed' });
  });

  it('a question to a list costs one query when nothing is found', async () => {
    const names: string[] = [];
    const dns: ListDns = {
      a: (name) => (names.push(name), Promise.resolve({ outcome: 'nxdomain' })),
      txt: () => Promise.reject(new Error('not asked')),
    };
    expect(await askList(OPEN, TARGET, dns, true)).toEqual({ status: 'not_listed' });
    expect(names).toEqual([NAME]);
  });

  it.each<[string, Record<string, DnsAnswer<string>>, object]>([
    ['right', HEALTHY, { state: 'healthy', why: null }],
    [
      'rewritten',
      { '1.0.0.127.psbl.surriel.com': found('198.51.100.1') },
      { state: 'unhealthy', why: 'outside_loopback' },
    ],
    [
      'refused',
      { '2.0.0.127.psbl.surriel.com': found('127.255.255.254') },
      { state: 'refused', why: 'public_resolver' },
    ],
    ['silent', { '2.0.0.127.psbl.surriel.com': { outcome: 'timeout' } }, { state: 'silent', why: 'timeout' }],
    ['gone', {}, { state: 'unhealthy', why: 'test_point_missing' }],
  ])('a question to a list has test points that are %s', async (_, answers, proof) => {
    expect(await testList(OPEN, 'ipv4', dnsOf(answers))).toEqual(proof);
  });
});
