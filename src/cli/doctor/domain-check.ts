import type { DomainFacts } from '../../engine/domain/facts.js';
import type { DomainFinding, FindingArea } from '../../engine/domain/finding.js';
import { judgeDomain } from '../../engine/domain/judges/judge-domain.js';
import { type CheckResult, fail, pass, skipped } from './check-result.js';
import type { DomainFactsReader } from './domain-facts-reader.js';

const AREAS = ['starttls', 'registration', 'bimi'] as const satisfies readonly FindingArea[];
type Area = (typeof AREAS)[number];

const NAMES = { starttls: 'certificates', registration: 'registration', bimi: 'bimi' } as const satisfies Record<
  Area,
  CheckResult['name']
>;
const ASK = '--ask-own-host asks the mail hosts, the registry and the web server of the logo.';

/**
 * The certificates of our own domain's mail hosts, until when it is registered, and its logo, by the code of `npm run domain`. What cannot
 * be told is no fault.
 */
export async function examineDomain(domain: string, look: DomainFactsReader, now: number): Promise<CheckResult[]> {
  if (!domain.includes('.')) return AREAS.map((area) => skipped(NAMES[area], `not tried: ${domain} is no domain`));
  let facts: DomainFacts;
  try {
    facts = await look(domain, AREAS);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return AREAS.map((area) => skipped(NAMES[area], `${domain} could not be looked at: ${why}`));
  }
  const findings = judgeDomain(facts, now);
  return AREAS.map((area) => faultOf(domain, area, findings) ?? RESULT_OF[area](facts));
}

function faultOf(domain: string, area: Area, findings: readonly DomainFinding[]): CheckResult | null {
  const wrong = findings.filter((one) => one.area === area && one.severity !== 'info');
  if (wrong.length === 0) return null;
  const { subject } = wrong[0]!;
  const advice = `npm run domain -- ${domain} --check ${area} says what to publish or renew; it begins with ${subject}.`;
  return fail(NAMES[area], wrong.map(({ explanation }) => explanation).join(' '), advice);
}

const RESULT_OF: Readonly<Record<Area, (facts: DomainFacts) => CheckResult>> = {
  starttls: ({ domain, mx }) => {
    if (mx.hosts.length === 0) return skipped('certificates', `${domain} has no mail hosts that could encrypt`);
    const known = mx.hosts.flatMap(({ host, startTls }) => {
      if (startTls?.outcome !== 'encrypted') return [];
      const [own] = startTls.tls.chain;
      return own === undefined ? [] : [`${host} ${startTls.tls.protocol} until ${dayOf(own.validTo)}`];
    });
    if (known.length > 0) return pass('certificates', known.join(', '));
    const asked = mx.hosts.flatMap(({ host, startTls }) =>
      startTls?.outcome === 'unknown' ? [`${host}: ${startTls.why}`] : [],
    );
    if (asked.length > 0) return skipped('certificates', `nothing is known of ${asked.join(', ')}`);
    return skipped('certificates', `not tried: how the mail hosts of ${domain} encrypt`, ASK);
  },
  registration: ({ domain, registration }) => {
    if (registration === null) return skipped('registration', `not tried: until when ${domain} is registered`, ASK);
    if (registration.outcome === 'unknown')
      return skipped('registration', `its registry says nothing of ${domain}: ${registration.why}`);
    const { expiresAt } = registration.registration;
    const until = expiresAt === null ? 'and its registry does not say until when' : `until ${dayOf(expiresAt)}`;
    return pass('registration', `${registration.domain} is registered ${until}`);
  },
  bimi: ({ domain, bimi }) => {
    if (bimi === null) return skipped('bimi', `${domain} has no BIMI record, and needs none`);
    if (bimi.logoUrl === null) return pass('bimi', `${bimi.name} says that there is no logo`);
    if (bimi.logo === null) return skipped('bimi', `${bimi.name} names ${bimi.logoUrl}, which was not fetched`, ASK);
    if (bimi.logo.outcome === 'unknown') return skipped('bimi', `nobody answered for ${bimi.logoUrl}`);
    return pass('bimi', `${bimi.name}: ${bimi.logoUrl}`);
  },
};

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
