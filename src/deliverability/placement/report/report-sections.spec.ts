import { describe, expect, it } from 'vitest';
import { contentSection, htmlFacts } from './content.js';
import { MAX_HEADER_BYTES, readHeaderBlock, readMessage } from './read-message.js';
import { bulkSenderRules } from './bulk-sender-rules.js';
import { judgeReport } from './judge-report.js';
import { headersSection } from './message-facts.js';

const AT = new Date('2026-11-26T12:00:00Z');
const HEADER = [
  'From: News <news@example.com>',
  'To: reader@example.net',
  'Subject: Hello',
  'Date: Thu, 26 Nov 2026 11:59:50 +0000',
  'Message-ID: <1@example.com>',
];

async function sectionsOf(text: string) {
  const message = (await readMessage(Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'), 'latin1')))!;
  const sections = {
    transport: null,
    authentication: null,
    headers: headersSection(message, AT),
    unsubscribe: null,
    content: contentSection(message),
    reputation: [],
    spam_filter: null,
  };
  return { message, sections, codes: judgeReport(sections).map(({ code }) => code) };
}

const html = (body: string): string => [...HEADER, 'Content-Type: text/html; charset=utf-8', '', body, ''].join('\n');

describe('the header of a message', () => {
  it('the header of a message is read as it stands', async () => {
    const { sections, codes } = await sectionsOf([...HEADER, '', 'Hello, reader.', ''].join('\n'));
    expect(sections.headers).toEqual({
      from_fields: 1,
      from_addresses: 1,
      from_domain: 'example.com',
      reply_to_domain: null,
      date: 'Thu, 26 Nov 2026 11:59:50 +0000',
      date_age_s: 10,
      message_id_domain: 'example.com',
      has_message_id: true,
      has_subject: true,
      repeated: [],
      not_ascii: [],
      auto_submitted: null,
      received: 0,
      longest_line: 37,
    });
    expect(codes).toEqual([]);
  });

  it.each([
    ['two From fields', [...HEADER, 'From: other@example.com'], ['from_not_one', 'header_twice']],
    ['two addresses in From', ['From: a@example.com, b@example.com', ...HEADER.slice(1)], ['from_not_one']],
    ['no From', HEADER.slice(1), ['from_not_one']],
    ['no Date', HEADER.toSpliced(3, 1), ['date_missing']],
    ['a Date that is none', HEADER.toSpliced(3, 1, 'Date: yesterday'), ['date_off']],
    ['no Message-ID', HEADER.toSpliced(4, 1), ['message_id_missing']],
    ['a Message-ID without a domain', HEADER.toSpliced(4, 1, 'Message-ID: 1234'), ['message_id_missing']],
    ['no subject', HEADER.toSpliced(2, 1), ['subject_missing']],
    ['a subject that is not encoded', HEADER.toSpliced(2, 1, 'Subject: Gr\xfc\xdfe'), ['header_not_ascii']],
    ['a line that is too long', [...HEADER, `X-Long: ${'x'.repeat(1000)}`], ['line_too_long']],
  ])('the header of a message is found to have %s', async (_what, lines, codes) => {
    expect((await sectionsOf([...lines, '', 'Hello, reader.', ''].join('\n'))).codes).toEqual(codes);
  });

  it('the header of a message is refused when it is larger than anybody takes', () => {
    expect(readHeaderBlock(Buffer.from(`X: ${'x'.repeat(MAX_HEADER_BYTES)}\r\n\r\n`))).toBeNull();
    expect(readHeaderBlock(Buffer.from('X: x\r\n'.repeat(3000)))).toBeNull();
    expect(readHeaderBlock(Buffer.from(`X:\r\n${' x\r\n'.repeat(200_000)}\r\n`))).toBeNull();
  });

  it.each(['', '\r\n', ':', 'no colon', '\0\0\0', ' \r\n\t\r\n', 'a:b'])(
    'the header of a message is read of %j, too',
    async (text) => {
      expect((await readMessage(Buffer.from(text)))?.fields.length).toBeLessThanOrEqual(1);
    },
  );
});

describe('the content of a message', () => {
  it.each([
    ['a link by http', '<a href="http://example.com/">Read the letter online</a>', ['text_missing', 'link_insecure']],
    ['a shortener', '<a href="https://bit.ly/x">Read the letter online</a>', ['text_missing', 'link_shortened']],
    ['an address', '<a href="https://192.0.2.1/x">Read the letter online</a>', ['link_to_address', 'text_missing']],
    [
      'another domain than it shows',
      '<p>Dear reader, see <a href="https://evil.example/">www.example.com</a></p>',
      ['link_text_differs', 'text_missing'],
    ],
    [
      'an image without alt',
      '<p>Dear reader, see here</p><img src="https://example.com/a.png">',
      ['text_missing', 'image_without_alt'],
    ],
    ['nothing but an image', '<img src="https://example.com/a.png" alt="x">', ['text_missing', 'image_only']],
    [
      'a script and a form',
      '<p>Dear reader, see here</p><script>x</script><form></form>',
      ['text_missing', 'html_active'],
    ],
    ['more than Gmail shows', `<p>${'Dear reader. '.repeat(10_000)}</p>`, ['text_missing', 'size_clipped']],
  ])('the content of a message is found to have %s', async (_what, body, codes) => {
    const found = (await sectionsOf(html(body.replaceAll('. ', '.\n')))).codes;
    expect(found.toSorted()).toEqual(codes.toSorted());
  });

  it('the content of a message takes the same registered domain for the same', async () => {
    const body = '<p>Dear reader, see <a href="https://click.example.com/x">www.example.com/letter</a></p>';
    expect((await sectionsOf(html(body))).codes).toEqual(['text_missing']);
  });

  it('the content of a message tells attachments that receivers refuse by their names', async () => {
    const part = (name: string) =>
      `--x\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename="${name}"\n\ndata\n`;
    const text = [
      ...HEADER,
      'Content-Type: multipart/mixed; boundary=x',
      '',
      `--x\nContent-Type: text/plain\n\nHello, reader.\n${part('bill.pdf.exe')}${part('bill.pdf')}--x--`,
      '',
    ].join('\n');
    const { sections, codes } = await sectionsOf(text);
    expect(sections.content!.attachments.map(({ extension, risky }) => [extension, risky])).toEqual([
      ['.exe', true],
      ['.pdf', false],
    ]);
    expect(codes).toEqual(['attachment_risky']);
  });

  it('the content of a message is unreadable beyond a depth, which says nothing of what is in it, and the rest of the report is made all the same', async () => {
    let body = 'Content-Type: text/plain\n\nHello\n';
    for (let depth = 0; depth < 100; depth += 1)
      body = `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n${body}\n--b${depth}--\n`;
    const { message, sections, codes } = await sectionsOf([...HEADER, body].join('\n'));
    expect(message.email).toBeNull();
    expect(sections.headers.has_subject).toBe(true);
    // Nobody knows whether it is empty.
    expect([sections.content, codes]).toEqual([null, []]);
  });

  it.each([
    ['unclosed elements', '<div>'.repeat(200_000)],
    ['attributes without an end', `<a href="${'x'.repeat(500_000)}`],
    ['many links', '<a href="https://example.com/">x</a>'.repeat(50_000)],
    ['entities within entities', '&amp;'.repeat(200_000)],
  ])('the content of a message bounds what it keeps of %s', (_what, text) => {
    const facts = htmlFacts(text);
    expect(JSON.stringify(facts).length).toBeLessThan(200_000);
  });
});

describe('the rules of bulk senders', () => {
  const transport = {
    client_address: '198.51.100.25',
    reverse_name: null,
    forward_confirmed: null,
    reverse_answered: true,
    helo: 'mx.example.com',
    mail_from: 'news@example.com',
    tls: 'none',
  };
  const spf = { result: 'fail', domain: 'example.com', record: null, lookups: 1, aligned: true };
  const dmarc = {
    result: 'fail',
    domain: 'example.com',
    policy: null,
    policy_domain: null,
    record: null,
    aligned_by: [],
  };
  const authentication = { spf, dkim: [], dmarc, arc: { result: 'none', instances: 0 } };
  const sections = { headers: null, unsubscribe: null, content: null, reputation: [], spam_filter: null };
  const ruleOf = (name: string, of: Parameters<typeof bulkSenderRules>[0]) =>
    bulkSenderRules(of).find(({ rule }) => rule === name);

  it.each([
    ['no name', {}, 'fail'],
    ['a name that leads elsewhere', { reverse_name: 'a.example.com', forward_confirmed: false }, 'fail'],
    ['a name that leads back', { reverse_name: 'mx.example.com', forward_confirmed: true }, 'pass'],
    ['no answer', { reverse_answered: false }, 'cannot_be_seen'],
    ['a name without an answer', { reverse_name: 'mx.example.com', forward_confirmed: null }, 'cannot_be_seen'],
  ])('the rules of bulk senders judge the reverse name as the findings do: %s', (_what, change, result) => {
    const report = { ...sections, transport: { ...transport, ...change }, authentication };
    expect(ruleOf('reverse_name', report)).toMatchObject({ result });
  });

  it('the rules of bulk senders word what they demand, so that nothing that failed reads as if it passed', () => {
    const report = { ...sections, transport, authentication };
    expect(ruleOf('spf', report)).toMatchObject({
      result: 'fail',
      explanation: 'SPF must pass for the domain of MAIL FROM.',
    });
    for (const { explanation } of bulkSenderRules(report)) expect(explanation).toMatch(/ (must|may) /);
  });

  it('the rules of bulk senders take no silence of the DNS for a failure', () => {
    const silent = { ...authentication, spf: { ...spf, result: 'temperror' } };
    expect(ruleOf('spf', { ...sections, transport, authentication: silent })).toMatchObject({
      result: 'cannot_be_seen',
    });
    expect(ruleOf('alignment', { ...sections, transport, authentication: silent })).toMatchObject({
      result: 'cannot_be_seen',
    });
    expect(ruleOf('alignment', { ...sections, transport, authentication })).toMatchObject({ result: 'fail' });
  });

  it('the rules of bulk senders call what no message shows cannot_be_seen, never a pass', () => {
    const nothing = {
      transport: null,
      authentication: null,
      headers: null,
      unsubscribe: null,
      content: null,
      reputation: [],
      spam_filter: null,
    };
    expect(new Set(bulkSenderRules(nothing).map(({ result }) => result))).toEqual(new Set(['cannot_be_seen']));
  });
});
