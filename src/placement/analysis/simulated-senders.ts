import type { FactDns } from '../../engine/domain/facts.js';
import { simulatedDomain } from '../../simulator/domain-world.js';
import { readHeaderBlock, valuesOf } from '../report/message/header-block.js';
import type { ReportEnvelope } from '../report/sections/authentication.js';

const MAX_DOMAINS = 10;
const DOMAIN = /@([a-z0-9.-]{1,253})/gi;
const SIGNER = /\bd=([a-z0-9.-]{1,253})/gi;

/** The DNS behind test keys for the domains that a message names: each publishes what its first label says (docs/test-mode.md). */
export function simulatedSenders(raw: Buffer, { mailFrom, clientName }: ReportEnvelope): FactDns {
  const fields = readHeaderBlock(raw)?.fields ?? [];
  const named = [
    ...valuesOf(fields, 'from').flatMap((text) => [...text.slice(0, 10_000).matchAll(DOMAIN)]),
    ...(mailFrom ?? '').matchAll(DOMAIN),
    ...valuesOf(fields, 'dkim-signature').flatMap((text) => [...text.slice(0, 10_000).matchAll(SIGNER)]),
  ].map(([, domain]) => domain!.toLowerCase());
  const names = [...new Set([...named, ...(clientName === null ? [] : [clientName.toLowerCase()])])];
  const worlds = names.slice(0, MAX_DOMAINS).map((domain) => ({ domain, dns: simulatedDomain(domain) }));
  const nobody = simulatedDomain('nobody.invalid');
  const of = (name: string): FactDns =>
    worlds.find(({ domain }) => name === domain || name.endsWith(`.${domain}`))?.dns ?? nobody;
  return {
    txt: (name) => of(name).txt(name),
    a: (name) => of(name).a(name),
    aaaa: (name) => of(name).aaaa(name),
    mx: (name) => of(name).mx(name),
    ns: (name) => of(name).ns(name),
    cname: (name) => of(name).cname(name),
    ptr: (name) => (worlds[0]?.dns ?? nobody).ptr(name),
    tlsa: (name) => of(name).tlsa(name),
    dnssec: (name) => of(name).dnssec(name),
  };
}
