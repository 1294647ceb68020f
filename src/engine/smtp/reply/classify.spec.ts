import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';

import { decisionTable } from '../../../verify/ports/decision-table-file.js';
import type { Stage } from '../../types.js';
import { createClassifier } from './classify.js';
import { REASONS_BEFORE_RCPT } from '../../judge/causes.js';
import { parsePhraseLists } from './parse-decision-table.js';
import { replyOf } from './reply.js';

const table = decisionTable();
const { classify, speaksOfMore } = createClassifier(table);

const configFile = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../config/${name}`, import.meta.url), 'utf8'));
const EARLY: readonly Stage[] = ['connect', 'banner', 'ehlo', 'starttls', 'mail'];

function classOf(reply: string, more: { recipient?: string; sender?: string; provider?: string; stage?: Stage } = {}) {
  return classify({ stage: 'rcpt', ...more, reply: replyOf(reply) }).class;
}

describe('the decision table', () => {
  const examples = table.rows.flatMap((row) => row.examples.map((example) => ({ row, ...example })));

  it.each(examples)('the decision table has $row.id decide "$reply"', ({ row, reply, stage, provider }) => {
    expect(classify({ stage, provider, reply: replyOf(reply) })).toEqual({
      class: row.class,
      row: row.id,
      weight: row.weight,
    });
  });

  it('the decision table names only operators that there are', () => {
    const known = configFile('mail-providers.json') as object;
    for (const { providers } of table.rows) for (const name of providers ?? []) expect(known).toHaveProperty([name]);
  });

  it('the decision table decides for no class before RCPT that says something about a mailbox', () => {
    for (const { row, reply } of examples) {
      for (const stage of EARLY)
        expect(REASONS_BEFORE_RCPT[classOf(reply, { stage })], `${row.id} at ${stage}`).not.toBeNull();
    }
  });
});

/** That the sender is unknown, in each language of the words for it. */
const UNKNOWN_SENDERS: Readonly<Record<string, readonly string[]>> = {
  French: ['Expéditeur inconnu', "Adresse de l'émetteur inconnue"],
  Spanish: ['Remitente desconocido', 'La cuenta del remitente no existe'],
  Catalan: ['Remitent desconegut'],
  Portuguese: ['Remetente desconhecido', 'Endereço do remetente inválido'],
  Italian: ['Mittente sconosciuto', 'Indirizzo del mittente non valido'],
  Romanian: ['Expeditor necunoscut'],
  German: ['Absender unbekannt', 'Unbekannte Absenderadresse'],
  Dutch: ['Afzender onbekend'],
  Swedish: ['Avsändaren okänd', 'Avsaendaren okaend'],
  Norwegian: ['Avsenderen er ukjent'],
  Danish: ['Afsender ukendt'],
  Finnish: ['Lähettäjä tuntematon'],
  Polish: ['Nieznany nadawca', 'Adres nadawcy nie istnieje'],
  Czech: ['Odesílatel neznámý'],
  Slovak: ['Odosielateľ neznámy'],
  Hungarian: ['Ismeretlen feladó', 'A küldő ismeretlen'],
  Turkish: ['Gönderen bulunamadı', 'Gönderici adresi geçersiz'],
  Russian: ['Отправитель не найден', 'Неизвестный отправитель'],
  Ukrainian: ['Відправник не знайдений'],
  Greek: ['Άγνωστος αποστολέας'],
  Indonesian: ['Pengirim tidak dikenal'],
  Vietnamese: ['Người gửi không tồn tại'],
  Chinese: ['发件人不存在', '發件人不存在', '发信人地址不存在', '寄件人不存在', '寄件者信箱不存在'],
  Japanese: ['送信者が存在しません', '送信元アドレスが存在しません', '差出人が見つかりません'],
  Korean: ['발신자를 찾을 수 없습니다', '보낸 사람이 존재하지 않습니다'],
};

const withoutMarks = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC');

describe('a refusal that says in another language that the sender is unknown', () => {
  it('a refusal that says in another language that the sender is unknown has a sentence here for every language whose words are known', () => {
    const groups = parsePhraseLists(configFile('smtp-replies/phrases.json')).get('sender')!;
    expect(groups.map(({ why }) => why)).toEqual(Object.keys(UNKNOWN_SENDERS).map((language) => `${language}.`));
  });

  it.each(Object.entries(UNKNOWN_SENDERS))(
    'a refusal that says in %s that the sender is unknown never makes an address invalid, with diacritics or without',
    (_language, texts) => {
      for (const text of texts.flatMap((one) => [one, one.toUpperCase(), one.normalize('NFD'), withoutMarks(one)]))
        for (const code of ['550', '550 5.1.1', '553 5.1.0', '550 5.2.1', '450 4.1.1', '551 Domain not found:']) {
          const reply = replyOf(`${code} ${text}`);
          const about = classify({ stage: 'rcpt', reply }).class;
          expect(['not_found', 'not_found_soft', 'disabled', 'full'], `${code} ${text}`).not.toContain(about);
          expect(speaksOfMore(reply, 'jane@x.test'), `${code} ${text}`).toBe(true);
        }
    },
  );

  it('a refusal that says in another language that something could not be sent is about the mailbox all the same', () => {
    expect(classOf('550 5.1.1 Mesaj gönderilemedi: alıcı bulunamadı')).toBe('not_found');
    expect(classOf('550 5.1.1 Pengiriman gagal, pengguna tidak ditemukan')).toBe('not_found');
  });
});

describe('a reply to RCPT', () => {
  it('a reply to RCPT is not classified by the words of the address that it repeats', () => {
    expect(classOf('550 5.1.1 <spam@x.test>: User unknown', { recipient: 'spam@x.test' })).toBe('not_found');
    expect(classOf('550 User blocked.user does not exist', { recipient: 'blocked.user@x.test' })).toBe('not_found');
    expect(classOf('550 5.1.1 User blacklist not known at this site', { recipient: 'blacklist@x.test' })).toBe(
      'not_found',
    );
    expect(classOf('550 no mailbox here by the name full', { recipient: 'full@x.test' })).toBe('not_found');
    expect(
      classOf('550 <Postmaster@Quota-Exceeded.test> unknown user', { recipient: 'postmaster@quota-exceeded.test' }),
    ).toBe('not_found');
    expect(classOf('550 no such user in greylist.test', { recipient: 'a@greylist.test' })).toBe('not_found');
    expect(classOf('550 5.1.1 spam: user unknown', { recipient: 'spam+tag@x.test' })).toBe('not_found');
    expect(
      classOf('550 <dmarc@probe.test> may not write: no such user a', {
        sender: 'dmarc@probe.test',
        recipient: 'a@x.test',
      }),
    ).toBe('not_found');
  });

  it('a reply to RCPT keeps the words of a not-found text that happen to be the local part', () => {
    for (const local of ['user', 'unknown', 'mailbox', 'no', 'such']) {
      expect(classOf('550 User unknown, no such mailbox', { recipient: `${local}@x.test` })).toBe('not_found');
    }
  });

  it('a reply to RCPT does not carry over from one recipient to another what only one of them explains', () => {
    const fresh = createClassifier(table);
    const reply = replyOf('552 mailbox full');
    expect(fresh.classify({ stage: 'rcpt', reply, recipient: 'full@x.test' }).class).not.toBe('full');
    expect(fresh.classify({ stage: 'rcpt', reply, recipient: 'jane@x.test' }).class).toBe('full');
    expect(fresh.classify({ stage: 'rcpt', reply, recipient: 'full@x.test' }).class).not.toBe('full');
  });

  it('a reply to RCPT finds block lists by their host names, and nothing in the paths of links', () => {
    expect(classOf('550 see https://www.spamhaus.org/query/ip/192.0.2.1')).toBe('ip_blocked');
    expect(classOf('550 no such user, see https://x.example.com/spam/blocked?why=greylisted')).toBe('not_found');
    expect(classOf('550 no such user on mx1.spam-blocked.example.com')).toBe('not_found');
  });

  it('a reply to RCPT is about us when it names both a disabled mailbox and a block list', () => {
    expect(classOf('550 5.2.1 mailbox disabled for 192.0.2.1, listed at zen.spamhaus.org')).toBe('ip_blocked');
  });

  it('a reply to RCPT is about us when our sender address or its domain is what does not exist', () => {
    const sender = 'probe@spam-check.example.net';
    for (const reply of [
      '553 5.1.0 probe spam-check.example.net does not exist E2110',
      '550 <probe@spam-check.example.net> does not exist',
      '550 5.1.1 <Probe@Spam-Check.Example.Net>: unknown',
      '550 5.1.1 No such host in DNS: mx1.spam-check.example.net',
    ]) {
      expect(classOf(reply, { sender, recipient: 'jane@x.test' }), reply).toBe('ambiguous');
    }
    expect(classOf('550 5.1.1 <jane@x.test> (from <probe@spam-check.example.net>): user unknown', { sender })).toBe(
      'not_found',
    );
  });

  it('a reply to RCPT is not about the mailbox when it speaks of us beside the code of a missing one', () => {
    for (const reply of [
      '550 5.1.0 Verification probes are not accepted here',
      '550 5.1.0 Callbacks not accepted here',
      '550 5.1.0 We do not know you',
      '550 5.1.2 Your domain was not found in DNS',
      '550 #5.1.0 Address rejected. Your domain does not resolve.',
      '550 5.1.1 Client host unknown',
      '550 Domain may not exist or DNS check failed',
      '550 no matches to nameserver query',
      '550 Requested action not taken: mailbox unavailable invalid DNS MX or A/AAAA resource record',
    ]) {
      expect(['ambiguous', 'sender_rejected', 'content_or_policy', 'ip_blocked'], reply).toContain(classOf(reply));
    }
  });

  it('a reply to RCPT is about the mailbox when it says so plainly, though a link asks about our address', () => {
    expect(
      classOf('550-Requested action not taken: mailbox unavailable\r\n550 https://x.example.com/?v=192.0.2.1'),
    ).toBe('not_found');
    expect(classOf('550 5.1.1 No such user; refused [192.0.2.1]')).toBe('not_found');
    expect(classOf('550 5.2.2 https://x.example.com/?v=192.0.2.1')).toBe('full');
  });

  it('a reply to RCPT is only busy, whatever else a busy server says', () => {
    expect(classOf('421 4.3.2 Server too busy, connection refused')).toBe('temporary');
    expect(classOf('421 Too busy, connections will not be accepted', { stage: 'banner' })).toBe('temporary');
    expect(classOf('421 Too busy: 192.0.2.1 blocked using zen.spamhaus.org', { stage: 'banner' })).toBe('ip_blocked');
  });

  it('a reply to RCPT is not about the mailbox when the sender is named in another language', () => {
    for (const reply of [
      "550 L'adresse de l'expéditeur n'existe pas",
      '550 La dirección del remitente no existe',
      '550 Absenderadresse existiert nicht',
      '550 Adres nadawcy nie istnieje',
      '550 Домен отправителя не существует',
      '550 发件人邮箱不存在',
    ]) {
      expect(classOf(reply), reply).toBe('sender_rejected');
    }
    for (const reply of [
      '550 Cuenta del remitente bloqueada',
      '550 El usuario ha bloqueado su mensaje',
      "550 Il tuo indirizzo e' bloccato",
      '550 Domain no exist',
    ]) {
      expect(classOf(reply), reply).toBe('ambiguous');
    }
  });

  it('a reply to RCPT is not about the mailbox when a quota, an account or a domain of ours is what is used up or closed', () => {
    for (const reply of [
      '550 Message quota exceeded for sender',
      '550 5.2.2 Message quota exceeded for sender',
      '552 5.2.2 your hourly message quota is exceeded',
      '550 message quota exceeded',
      '550 overquote network',
      '550 Your network is over quote',
      '550 your client is overdrawn',
      '550 Your account is overdrawn',
      '452 overdrawn',
      '550 NOACTIVITY',
      '550 NOACTIVITY from your network',
      '554 Daily sending quota exceeded',
      '550 policyd: Quota exceeded for your account',
      '552 Traffic quota exceeded',
      '452 Too many recipients, recipient quota exceeded',
      '550 5.2.1 Your account is disabled',
      '550 Your mail address is temporarily disabled for sending',
      '550 5.2.1 sender account temporarily locked',
      '550 From domain is disabled',
      '550 5.7.1 <probe@example.net> sender has been suspended',
      '450 4.2.1 recipient domain temporarily disabled',
      '421 4.4.2 Connection for user closed due to inactivity',
      '550 Server has no space left for this user',
      '550 You have not logged in yet',
      '550 You must log in before we receive your mail',
      '550 Your account has not been activated',
      '550 This command is administratively disabled',
      '550 Mail reception suspended: your network sends spam',
      '550 message reception disabled for your network',
      '550 administratively closed to your range',
      '554 email turned off for foreign hosts',
      '550 Recipient has not been enabled for mail from outside',
      '550 email reception is turned off: server maintenance',
    ]) {
      const about = classOf(reply, { sender: 'probe@example.net' });
      expect(['rate_limited', 'sender_rejected', 'ip_blocked', 'temporary', 'ambiguous'], reply).toContain(about);
    }
  });

  it('a reply to RCPT is about the mailbox when it tells of a quota, a login or a disabled account in words that others use of us', () => {
    expect(classOf('550 Your message to jane@x.test was automatically rejected: Quota exceeded')).toBe('full');
    expect(classOf('550 Your message was rejected: mailbox quota exceeded')).toBe('full');
    expect(classOf('552 mail quota exceeded')).toBe('full');
    expect(classOf("550 The recipient's mailbox exceeded message quota")).toBe('full');
    expect(classOf('552 5.2.2 message quota exceeded')).toBe('full');
    expect(classOf('552 Message quota for this mailbox exceeded')).toBe('full');
    expect(classOf('552 User is overquote')).toBe('full');
    expect(classOf('552 the mailbox is overdrawn')).toBe('full');
    expect(classOf('550 NOACTIVITY: this mailbox is inactive')).toBe('disabled');
    expect(classOf('550 Your message was not delivered: account disabled')).toBe('disabled');
    expect(classOf('550 5.1.1 user not found in internal database')).toBe('not_found');
    expect(classOf('550 User unknown in local recipient table')).toBe('not_found');
  });

  it('a reply to RCPT is about us when a server and not a person refuses in the name of the recipient', () => {
    for (const reply of [
      '550 5.1.1 Recipient rejected: your address is listed',
      '550 5.1.1 Recipient rejected: sender IP blacklisted',
      '554 Message blocked by recipient server',
      "550 rejected by the recipient's spam filter",
      '550 5.7.1 Message refused by recipient domain policy',
    ]) {
      expect(['ip_blocked', 'content_or_policy'], reply).toContain(classOf(reply));
    }
  });

  it('a reply to RCPT is a login for us, and no login of the recipient, when it asks somebody to log in before mail is sent', () => {
    expect(classOf('550 You must log in to send mail')).toBe('sender_rejected');
    expect(classOf('553 Please log in before sending to this user')).toBe('sender_rejected');
  });

  it('a reply to RCPT means "no such recipient" by 5.4.1 at Microsoft only', () => {
    const reply = '550 5.4.1 [jane@x.test]: Recipient address rejected: Access denied [x.test]';
    expect(classOf(reply, { provider: 'microsoft-365' })).toBe('not_found');
    expect(classOf(reply, { provider: 'google' })).toBe('ambiguous');
    expect(classOf(reply)).toBe('ambiguous');
  });

  it('a reply to RCPT is transient when it denies the mailbox with a 4xx, and temporary when the server is only busy', () => {
    expect(classOf('450 4.1.1 User unknown in local recipient table')).toBe('not_found_soft');
    expect(classOf('450 Requested mail action not taken: mailbox unavailable')).toBe('temporary');
    expect(classOf('452 4.3.1 Insufficient system storage')).toBe('temporary');
  });

  it('a reply to RCPT that is not a refusal is accepted, and says nothing at any other stage', () => {
    expect(classOf('250 ok')).toBe('accepted');
    expect(classOf('252 cannot verify')).toBe('accepted_unverified');
    expect(classOf('354 go ahead')).toBe('ambiguous');
    for (const stage of EARLY) expect(classOf('250 ok', { stage })).toBe('ambiguous');
  });

  it('a reply to RCPT gets a class for every text', () => {
    const classifier = createClassifier(table);
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 599 }),
        fc.string({ unit: 'binary' }),
        fc.string(),
        fc.string(),
        (code, text, recipient, sender) => {
          const answer = classifier.classify({
            stage: 'rcpt',
            reply: { code, enhanced: null, text },
            recipient,
            sender,
          });
          expect(answer.row).not.toBe('');
        },
      ),
    );
  });
});
