import { deepStrictEqual, ok } from 'node:assert';

import { createClassifier } from '../../src/engine/smtp/reply/classify.js';
import { REPLY_BOUNDS, ReplyReader, type ReplyItem } from '../../src/engine/smtp/reply/reply.js';
import { EVIDENCE_BYTES, evidenceText } from '../../src/engine/smtp/reply/evidence-text.js';
import { decisionTable } from '../../src/verify/ports/decision-table-file.js';
import type { Stage } from '../../src/engine/types.js';
import { fuzz, fuzzArguments } from './driver.js';

const STAGES: readonly Stage[] = ['connect', 'banner', 'ehlo', 'starttls', 'mail', 'rcpt'];
const PRINTABLE = /^(?!\s)[^\p{C}\p{Zl}\p{Zp}]*$/u;
const classifier = createClassifier(decisionTable());

const SEEDS = [
  '220 mx.test ESMTP\r\n250-mx.test\r\n250-PIPELINING\r\n250 SIZE 1000\r\n',
  '250 2.1.0 Ok\r\n250 2.1.5 Ok\r\n250 2.0.0 Ok\r\n250 2.1.0 Ok\r\n550 5.1.1 <a@b.test>: User unknown\r\n',
  '550-5.1.1 The account that you\r\n550-5.1.1 tried to reach\r\n550 5.1.1 does not exist https://x.test/?p=N - gsmtp\r\n',
  '550 #5.1.0 Address rejected.\r\n421 4.7.0 [TSS04] Messages from 192.0.2.1 deferred - 4.16.55.1\r\n',
  '550 Empf\xc3\xa4nger unbekannt\r\n552 Bo\xeete pleine\r\n550 \xf0\x9f\x98\x80\r\n',
  '550 \xe6\x94\xb6\xe4\xbb\xb6\xe4\xba\xba\xe4\xb8\x8d\xe5\xad\x98\xe5\x9c\xa8\r\n',
  `250-${'x'.repeat(1500)}\r\n`.repeat(12),
  '250-a\r\n550 b\r\n',
  '421\n\n\r\nHTTP/1.1 400 Bad Request\r\n',
  '550 probe@c.test mx.c.test a_b.c-d.com 192.0.2.1 12:34:56 http://a.b.com/?ip=192.0.2.1&v=2001:db8::1 listed at x.y.com\r\n',
  '554 1::2 a@b@c http://[::1]:25/x?y _ ((( ... resolver.rst.x aaaa.bbbb.com\r\n',
];

/** The chunking is taken from the bytes themselves, so that a failing input fails again. */
function cutting(bytes: Buffer): Buffer[] {
  let state = bytes.length + 1;
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    state = (Math.imul(state, 1664525) + 1013904223 + bytes[at]!) >>> 0;
    const size = state % 4 === 0 ? 1 : 1 + ((state >>> 8) % 700);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

function read(chunks: readonly Buffer[]): ReplyItem[] {
  const reader = new ReplyReader();
  return chunks.flatMap((chunk) => [...reader.push(chunk)]);
}

function check(input: string): void {
  const bytes = Buffer.from(input, 'latin1');
  const whole = read([bytes]);
  deepStrictEqual(read(cutting(bytes)), whole, 'the cutting of the stream changes what is read');
  for (const [index, item] of whole.entries()) {
    if ('problem' in item) ok(index === whole.length - 1, 'something is read after a problem');
    else checkReply(item);
  }
}

function checkReply(item: Exclude<ReplyItem, { problem: string }>): void {
  ok(item.code >= 200 && item.code <= 599, 'a code out of range');
  ok(item.text.length <= REPLY_BOUNDS.replyBytes, 'a text over the bound');
  ok(item.enhanced === null || /^[245]\.\d{1,3}\.\d{1,3}$/.test(item.enhanced), 'an enhanced code that is none');
  const evidence = evidenceText(item.text);
  ok(Buffer.byteLength(evidence) <= EVIDENCE_BYTES && PRINTABLE.test(evidence), 'evidence that is not printable');
  for (const stage of STAGES) {
    const { row } = classifier.classify({ stage, reply: item, recipient: 'jane.doe+x@b.test', sender: 'probe@c.test' });
    ok(row !== '', 'a reply that no row decides');
  }
}

// Patterns are compiled when they are first met, once for each width of text; that is not what is timed.
for (const seed of SEEDS) check(seed);

await fuzz({ name: 'reply', seedInputs: SEEDS, property: check, ...fuzzArguments() });
