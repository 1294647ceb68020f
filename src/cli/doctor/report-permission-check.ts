import { tagOf, parseTagList } from '../../engine/domain/tag-list.js';
import type { DoctorDns } from './doctor-dns.js';
import { fail, pass, skipped, type CheckResult } from './check-result.js';

/** Nobody's: only a record for all names answers for it. */
const ANY_DOMAIN = 'mailsonde-doctor.example.com';

/**
 * Whether we may receive the reports of other domains: who reports asks the host of the address, and sends nothing without its consent
 * (RFC 9990, "Verifying External Destinations"). @param inboundDomain as in `INBOUND_DOMAIN`
 */
export async function examineReportPermission(inboundDomain: string, dns: DoctorDns): Promise<CheckResult> {
  if (/(?:^|\.)localhost$/.test(inboundDomain))
    return skipped(
      'reports',
      `not tried: ${inboundDomain} is this machine`,
      'Set INBOUND_DOMAIN to receive DMARC reports.',
    );
  const name = `*._report._dmarc.${inboundDomain}`;
  const texts = await dns.texts(`${ANY_DOMAIN}._report._dmarc.${inboundDomain}`);
  if (texts.outcome === 'unanswered') return skipped('reports', `the DNS did not answer for ${name}: ${texts.why}`);
  const record =
    texts.outcome === 'found' ? texts.records.find((text) => tagOf(parseTagList(text), 'v') === 'DMARC1') : undefined;
  if (record !== undefined) return pass('reports', `${name}: ${record}`);
  return fail(
    'reports',
    `${name} has no record that allows it, so that nobody sends us the DMARC reports of other domains`,
    `Publish a TXT record at ${name}: v=DMARC1`,
  );
}
