import { ok } from 'node:assert';
import { isIP } from 'node:net';
import { MAX_HEADER_BYTES, readProxyHeader } from '../../src/deliverability/inbound/proxy-protocol.js';
import { OVER_IPV6, writtenHeader } from '../../test/support/proxy-headers.js';
import { fuzz, fuzzArguments } from './driver.js';

/** Bytes as latin1. */
const SEEDS = [
  writtenHeader(),
  writtenHeader({ family: 0x21, addresses: OVER_IPV6 }),
  writtenHeader({ command: 0x20, family: 0, addresses: [] }),
  writtenHeader({ family: 0x31, addresses: Array<number>(216).fill(0) }),
  writtenHeader({
    values: [
      [4, ''],
      [0xea, '\x01vpce-1'],
      [0x20, 'x'.repeat(300)],
    ],
  }),
  writtenHeader({ length: 0xffff }),
].map((bytes) => bytes.toString('latin1'));
const LINE = /^PROXY (?:UNKNOWN|TCP[46] (\S+) (\S+) \d{1,5} \d{1,5})\r\n$/;

function check(input: string): void {
  const bytes = Buffer.from(input, 'latin1');
  const header = readProxyHeader(bytes);
  if (header.outcome === 'incomplete') ok(bytes.byteLength < MAX_HEADER_BYTES, 'waits for more than a header has');
  if (header.outcome !== 'whole') return;
  ok(header.bytes <= bytes.byteLength && header.bytes <= MAX_HEADER_BYTES, 'takes more than is there');
  const [line, source, target] = LINE.exec(header.line) ?? [];
  ok(line !== undefined, 'a line that is none');
  for (const address of [source, target]) ok(address === undefined || isIP(address) !== 0, 'an address that is none');
  // However it is cut, the same is read in the end, and nothing before.
  for (let end = 0; end < header.bytes; end++)
    ok(readProxyHeader(bytes.subarray(0, end)).outcome === 'incomplete', 'read before it was whole');
}

for (const seed of SEEDS) check(seed);

await fuzz({ name: 'proxy', seedInputs: SEEDS, property: check, ...fuzzArguments() });
