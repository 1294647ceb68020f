import { DAY_MS } from '../../../lib/durations.js';
import type { BimiFacts } from '../bimi-record.js';
import type { DomainFacts } from '../facts.js';
import { type DomainFinding, finding } from '../finding.js';

const SOON_DAYS = 30;

/** The logo that receivers may show beside the domain's mail; a domain without one has nothing wrong. */
export function judgeBimi({ domain, bimi, dmarc }: DomainFacts, now: number): DomainFinding[] {
  if (bimi === null) return [];
  const evidence = { name: bimi.name, records: bimi.records };
  if (bimi.problem !== null)
    return [finding('bimi_syntax', domain, `No receiver can use the BIMI record: ${bimi.problem}.`, evidence)];
  if (bimi.logoUrl === null) return [];
  const findings: DomainFinding[] = [];
  const isWeak = dmarc.policy === 'none' || dmarc.subdomainPolicy === 'none' || dmarc.isTesting;
  if (dmarc.isAnswered && isWeak) {
    const words =
      'Receivers show no logo of a domain whose DMARC policy does nothing: it must be quarantine or reject, for subdomains too.';
    findings.push(finding('bimi_not_enforced', domain, words, { ...evidence, dmarc: dmarc.record }));
  }
  return [...findings, ...judgeLogo(domain, bimi), ...judgeCertificate(domain, bimi, now)];
}

function judgeLogo(domain: string, { logo, logoUrl: url }: BimiFacts): DomainFinding[] {
  if (logo?.outcome === 'failed')
    return [finding('bimi_logo_unreachable', domain, `The logo cannot be fetched: ${logo.why}.`, { url })];
  if (logo?.outcome !== 'found' || logo.content.problems.length === 0) return [];
  const { problems, bytes } = logo.content;
  const words = `Receivers refuse the logo, which must be SVG Tiny PS: ${problems.join('; ')}.`;
  return [finding('bimi_logo_profile', domain, words, { url, bytes, problems })];
}

function judgeCertificate(domain: string, bimi: BimiFacts, now: number): DomainFinding[] {
  const { certificate, certificateUrl: url } = bimi;
  if (url === null) {
    const words = 'The logo has no mark certificate (a=), without which some receivers, Gmail among them, show none.';
    return [finding('bimi_no_certificate', domain, words, { records: bimi.records })];
  }
  if (certificate?.outcome === 'failed') {
    const words = `The mark certificate cannot be fetched: ${certificate.why}.`;
    return [finding('bimi_certificate_unreachable', domain, words, { url })];
  }
  if (certificate?.outcome !== 'found') return [];
  const { names, issuer, validTo, isForMarks } = certificate.content;
  const day = new Date(validTo).toISOString().slice(0, 10);
  const evidence = { url, names, issuer, valid_to: new Date(validTo).toISOString() };
  const findings: DomainFinding[] = [];
  const at = bimi.name.slice('default._bimi.'.length);
  const isNamed = [domain, at].some((one) => names.includes(one) || names.includes(`default._bimi.${one}`));
  if (!isForMarks || !isNamed) {
    const why = isForMarks ? `it is for ${names.slice(0, 3).join(', ') || 'no name'}` : 'it is not meant for logos';
    findings.push(
      finding('bimi_certificate_unfit', domain, `The mark certificate does not fit ${domain}: ${why}.`, evidence),
    );
  }
  if (validTo <= now)
    findings.push(finding('bimi_certificate_expired', domain, `The mark certificate expired on ${day}.`, evidence));
  else if (validTo - now <= SOON_DAYS * DAY_MS)
    findings.push(
      finding('bimi_certificate_expires_soon', domain, `The mark certificate expires on ${day}.`, evidence),
    );
  return findings;
}
