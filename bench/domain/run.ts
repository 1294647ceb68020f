import { examineDomain } from '../../src/engine/domain/judges/examine-domain.js';
import { dnsOf, HEALTHY, NOW, outsideOf, STRONG } from '../../test/support/domain-zones.js';

/**
 * What a check of a domain costs whose SPF record is as long as a stranger likes: `npm run bench:domain`. Terms alternate between letting
 * send and refusing, 32 senders are looked at, and eleven certain fixes are judged. Twice the terms may take twice the CPU, not four times.
 */
const ROUNDS = 3;
const SIZES = [500, 1_000, 2_000, 4_000, 8_000];

const selectors = Array.from({ length: 10 }, (_, at) => `t${at}`);
const keys = selectors.map((one) => [`${one}._domainkey.example.com`, [`v=DKIM1; t=y; p=${STRONG}`]] as const);

function zoneOf(terms: number, network: (at: number) => string) {
  const all = Array.from({ length: terms }, (_, at) => `${at % 2 === 0 ? '' : '-'}${network(at)}`);
  const half = all.length / 2;
  return {
    ...HEALTHY,
    ...Object.fromEntries(keys),
    'example.com': [`v=spf1 ${all.slice(0, half).join(' ')} include:i.example a mx -all ~all`],
    'i.example': [`v=spf1 ${all.slice(half).join(' ')} -all`],
    'A example.com': Array.from({ length: 32 }, (_, at) => `8.8.9.${at}`),
  };
}

async function cpuMs(terms: number, network: (at: number) => string): Promise<number> {
  const zone = zoneOf(terms, network);
  const asked = { domain: 'example.com', selectors, senders: [] };
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    await examineDomain(asked, dnsOf(zone), outsideOf(zone), { now: NOW });
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / 1_000);
  }
  return rounds.toSorted((a, b) => a - b)[ROUNDS >> 1]!;
}

const FAMILIES: Readonly<Record<string, (at: number) => string>> = {
  ip4: (at) => `ip4:${(at * 7_919) % 224}.${at >> 8}.${at & 255}.1`,
  ip6: (at) => `ip6:2001:${at.toString(16)}::/${32 + (at % 90)}`,
};

for (const [family, network] of Object.entries(FAMILIES)) {
  let before = 0;
  for (const terms of SIZES) {
    const ms = await cpuMs(terms, network);
    const ratio = before === 0 ? '' : `, ${(ms / before).toFixed(1)} times the half`;
    console.log(`${family}, ${terms} terms: ${ms.toFixed(0)} ms of CPU${ratio}`);
    before = ms;
  }
}
