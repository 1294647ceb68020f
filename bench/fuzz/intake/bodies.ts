import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { mutate } from '../mutate.js';
import type { Pick } from './pick.js';

export interface SentBody {
  readonly type: string | null;
  readonly encoding: string | null;
  readonly bytes: Buffer;
}

const BOUNDARY = 'x0y';
const JSON_TEXTS = [
  '{"email":"valid@a.example"}',
  '{"emails":["valid@a.example","invalid@b.example"," x ","é@ü.example"],"name":"n","webhook_url":null}',
  '{"emails":5}',
  '{"emails":["a@a.example",7]}',
  '{"people":[{"full_name":"Jane Doe","domain":"a.example"},{"first_name":"J","last_name":"D","domain":"b.example"}]}',
  '{"full_name":"Jane Doe","domain":"a.example"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"verify_email","arguments":{"email":"valid@a.example"}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"verify_batch","arguments":{"emails":["valid@a.example"]}}}',
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"f","version":"1"}}}',
  '{"url":"https://127.0.0.1:9/x","events":["batch.completed"]}',
  '{"name":"key","kind":"test"}',
  '{"__proto__":{"email":"x"},"constructor":{"prototype":{}}}',
  '{}',
  '[]',
  'null',
  '',
];
const CSV_TEXTS = [
  'email,name\nvalid@a.example,"Jane, ""J"""\ninvalid@b.example,x\n',
  'name;domain\r\nJane Doe;a.example\r\n',
  'valid@a.example\n\n"open',
  `email\n${'a@a.example\n'.repeat(3_000)}`,
  '\ufeffe-mail\tx\nvalid@a.example\ty\n',
];
const LINES = [
  'valid@a.example\ninvalid@b.example\n',
  '"valid@a.example"\n{"email":"x@b.example"}\n{"email":5}\n',
  '{"full_name":"Jane Doe","domain":"a.example"}\n',
];
const TEXTS = [...JSON_TEXTS, ...CSV_TEXTS, ...LINES];
/** What is said of a text that is true. */
const HONEST: readonly (readonly [texts: readonly string[], types: readonly string[]])[] = [
  [JSON_TEXTS, ['application/json', 'application/json', 'application/json; charset=utf-8']],
  [CSV_TEXTS, ['text/csv', 'application/csv', 'text/csv; charset=iso-8859-1']],
  [LINES, ['application/x-ndjson', 'application/jsonl', 'text/plain']],
];
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'text/csv',
  'text/csv; charset=iso-8859-1',
  'text/plain; charset=utf-16',
  'application/x-ndjson',
  'application/jsonl',
  'application/csv',
  'text/plain',
  'text/plain; charset="no such"',
  `multipart/form-data; boundary=${BOUNDARY}`,
  'multipart/form-data',
  'multipart/mixed; boundary=x',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/zip',
  'application/vnd.mailsonde.streamed',
  'nonsense',
  ';',
];
const ENCODINGS = ['gzip', 'gzip', 'gzip', 'identity', 'deflate', 'br', 'gzip, gzip', 'nonsense'];

/** A body of any form, well-formed or not, packed or not, with what is said about it, true or not. */
export function anyBody(pick: Pick): SentBody {
  const isForm = pick.chance(0.3);
  const [texts, types] = pick.chance(0.7) ? pick.one(HONEST) : ([TEXTS, TYPES] as const);
  const text = isForm ? formText(pick) : anyText(pick, texts);
  let bytes: Buffer = Buffer.from(text, pick.chance(0.85) ? 'utf8' : pick.one(['latin1', 'utf16le'] as const));
  const type = isForm && pick.chance(0.9) ? `multipart/form-data; boundary=${BOUNDARY}` : pick.one(types);
  const encoding = pick.chance(0.25) ? pick.one(ENCODINGS) : null;
  if (encoding !== null && pick.chance(0.8)) bytes = packed(bytes, encoding);
  if (pick.chance(0.15)) bytes = damaged(bytes, pick);
  return { type: pick.chance(0.95) ? type : null, encoding, bytes };
}

function anyText(pick: Pick, texts: readonly string[] = TEXTS): string {
  if (pick.chance(0.02)) return pick.one(['[', '{"a":', '[{"a":']).repeat(20_000);
  return pick.chance(0.4) ? pick.one(texts) : mutate(texts, pick.random);
}

function formText(pick: Pick): string {
  const parts = Array.from({ length: pick.below(5) }, () => `--${BOUNDARY}\r\n${partText(pick)}`);
  const whole = `${parts.join('\r\n')}\r\n--${BOUNDARY}--\r\n`;
  if (pick.chance(0.6)) return whole;
  return pick.chance(0.5) ? whole.slice(0, pick.below(whole.length)) : mutate([whole], pick.random);
}

function partText(pick: Pick): string {
  const headers = [
    pick.one([
      'Content-Disposition: form-data; name="file"; filename="a.csv"',
      'Content-Disposition: form-data; name="file"; filename="a.ndjson"',
      'Content-Disposition: form-data; name="file"',
      'Content-Disposition: form-data; name="name"',
      'Content-Disposition: form-data; name="email_column"',
      'Content-Disposition: attachment',
      'A B: x',
      ': x',
      'X: '.padEnd(20_000, 'x'),
    ]),
    ...(pick.chance(0.7) ? [`Content-Type: ${pick.one([...TYPES, 'image/png'])}`] : []),
  ];
  return `${headers.join('\r\n')}\r\n\r\n${anyText(pick)}`;
}

function packed(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'deflate') return deflateSync(bytes);
  return encoding === 'br' ? brotliCompressSync(bytes) : gzipSync(bytes);
}

/** Cut, doubled, or with other bytes in it. */
function damaged(bytes: Buffer, pick: Pick): Buffer {
  const at = pick.below(bytes.length + 1);
  if (pick.chance(0.4)) return bytes.subarray(0, at);
  if (pick.chance(0.3)) return Buffer.concat([bytes, bytes]);
  const other = Buffer.from(Array.from({ length: 1 + pick.below(8) }, () => pick.below(256)));
  return Buffer.concat([bytes.subarray(0, at), other, bytes.subarray(at)]);
}
