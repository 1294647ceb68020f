import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactDns } from '../../src/deliverability/domains/fact-dns.js';
import { gatherFacts } from '../../src/engine/domain/gather-facts.js';
import type { DomainFinding } from '../../src/engine/domain/finding.js';
import { judgeDomain } from '../../src/engine/domain/judges/judge-domain.js';
import { type DnsServer, KNOWN_DOMAIN, startDnsServer } from '../support/dns-server.js';
import { openResolverJudge } from '../../src/resolver/own-resolver.js';
import { JUDGED } from './judged.js';
import { CASES, zoneOf } from './zones.js';

/** Set by run.sh: a Python that has checkdmarc. */
const PYTHON = process.env['CHECKDMARC_PYTHON'] ?? '';
const AREAS = ['spf', 'dmarc', 'mx'] as const;

type Level = 'well' | 'faulty' | 'unusable';
type Said = Readonly<Record<string, Readonly<Record<string, { usable: boolean; words: readonly string[] }>>>>;

/** What ends the use of a record: receivers do as if there were none, or refuse. */
const UNUSABLE: ReadonlySet<string> = new Set([
  'spf_missing',
  'spf_multiple',
  'spf_syntax',
  'spf_include_missing',
  'spf_broken',
  'spf_too_many_lookups',
  'spf_void_lookups',
  'dmarc_missing',
  'dmarc_multiple',
  'dmarc_syntax',
]);

const domainOf = (index: number) => `zone${index}.example`;

function ourLevel(findings: readonly DomainFinding[], area: string): Level {
  const own = findings.filter((one) => one.area === area);
  return own.some(({ code }) => UNUSABLE.has(code)) ? 'unusable' : own.length > 0 ? 'faulty' : 'well';
}

async function theirs(port: string): Promise<Said> {
  const child = spawn(PYTHON, [join(import.meta.dirname, 'judge.py'), port], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(CASES.map((_, index) => domainOf(index))));
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(printed) as Said;
}

describe.skipIf(PYTHON === '')('what a domain publishes', () => {
  let dns: DnsServer;

  beforeAll(async () => {
    const zones = Object.assign({}, ...CASES.map((one, index) => zoneOf(one, domainOf(index)))) as object;
    const reverse = {
      '1.4.8.8.in-addr.arpa': { PTR: ['mx1.zone0.example'] },
      '2.4.8.8.in-addr.arpa': { PTR: ['mx2.zone0.example'] },
    };
    dns = await startDnsServer({ zones: { ...zones, ...reverse } });
  });

  afterAll(() => dns.close());

  it('what a domain publishes is judged as checkdmarc judges it, but where the RFC says otherwise', async () => {
    const said = await theirs(dns.address.split(':')[1]!);
    const servers = [dns.address];
    const own = createFactDns(servers, openResolverJudge({ dnsServers: servers, dnsKnownDomains: [KNOWN_DOMAIN] }));
    const differences: Record<string, string> = {};
    const evidence: Record<string, unknown> = {};
    for (const [index, { what }] of CASES.entries()) {
      const domain = domainOf(index);
      const findings = judgeDomain(
        await gatherFacts({ domain, selectors: [], senders: [], searchesKeys: false }, own),
        0,
      );
      for (const area of AREAS) {
        const { usable, words } = said[domain]![area]!;
        const their: Level = !usable ? 'unusable' : words.length > 0 ? 'faulty' : 'well';
        const our = ourLevel(findings, area);
        if (their === our) continue;
        differences[`${what}: ${area}`] = `we ${our}, they ${their}`;
        evidence[`${what}: ${area}`] = [findings.filter((one) => one.area === area).map(({ code }) => code), words];
      }
    }
    const expected = Object.fromEntries(JUDGED.map(({ where, levels }) => [where, levels]));
    expect(differences, JSON.stringify(evidence, null, 1)).toEqual(expected);
  });

  it('what a domain publishes is tried in 75 zones at least', () => {
    expect(new Set(CASES.map(({ what }) => what)).size).toBeGreaterThanOrEqual(75);
  });
});
