import { DAY_MS } from '../../../lib/durations.js';
import type { DomainFacts } from '../facts.js';
import { critical, type DomainFinding, finding } from '../finding.js';

const CRITICAL_DAYS = 7;
const WARNING_DAYS = 30;
const HOLDS: readonly string[] = ['client hold', 'server hold'];
const ENDING: readonly string[] = ['pending delete', 'redemption period'];

/** What the registry says of the domain; a registry that says nothing is no finding. */
export function judgeRegistration({ registration: look }: DomainFacts, now: number): DomainFinding[] {
  if (look?.outcome !== 'found') return [];
  const { domain, registration } = look;
  const { expiresAt, statuses, registrar } = registration;
  const evidence = {
    statuses,
    registrar,
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
  const findings: DomainFinding[] = [];
  const hold = statuses.find((one) => HOLDS.includes(one));
  if (hold !== undefined) {
    const words = `The registration of ${domain} is on hold (${hold}), so the domain does not resolve.`;
    findings.push(finding('registration_on_hold', domain, words, evidence));
  }
  const ending = statuses.find((one) => ENDING.includes(one));
  if (ending !== undefined) {
    const words = `The registration of ${domain} has ended (${ending}): somebody else can have the domain soon.`;
    return [...findings, finding('registration_ending', domain, words, evidence)];
  }
  if (expiresAt === null) return findings;
  const leftDays = Math.floor((expiresAt - now) / DAY_MS);
  if (leftDays > WARNING_DAYS) return findings;
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  const words =
    expiresAt <= now
      ? `The registration of ${domain} ended on ${day}, if nobody has renewed it.`
      : `The registration of ${domain} ends on ${day}, if nobody renews it.`;
  const found = finding('registration_expires_soon', domain, words, evidence);
  return [...findings, leftDays <= CRITICAL_DAYS ? critical(found) : found];
}
