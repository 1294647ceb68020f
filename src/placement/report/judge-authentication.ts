import type { ReportSections } from './placement-report.js';
import { type ReportFinding, reportFinding } from './report-finding.js';
import type { AuthenticationSection, DkimSection } from './sections/authentication.js';

const WEAK_BITS = 2048;
/** RFC 8301 section 3.2: of shorter keys no receiver takes a signature. */
const MIN_BITS = 1024;

export function judgeAuthentication({ authentication }: ReportSections): ReportFinding[] {
  if (authentication === null) return [];
  return [
    ...judgeSpf(authentication),
    ...judgeDkim(authentication.dkim),
    ...judgeDmarc(authentication),
    ...(authentication.arc.result === 'fail'
      ? [reportFinding('arc_fail', 'The ARC chain does not hold.', { ...authentication.arc })]
      : []),
  ];
}

function judgeSpf({ spf }: AuthenticationSection): ReportFinding[] {
  if (spf === null) return [];
  const { result, domain, record } = spf;
  const evidence = { ...spf };
  if (result === 'none') return [reportFinding('spf_missing', `${domain} publishes no SPF record.`, evidence)];
  if (result === 'permerror')
    return [reportFinding('spf_broken', `The SPF record of ${domain} cannot be read to its end.`, evidence)];
  if (result === 'fail' || result === 'softfail')
    return [
      reportFinding(
        'spf_fail',
        `The SPF record of ${domain} does not name the sending address.`,
        { ...evidence, record },
        result === 'fail' ? 'critical' : 'warning',
      ),
    ];
  // `temperror` is silence of the DNS, and `neutral` says nothing.
  return [];
}

function judgeDkim(signatures: readonly DkimSection[]): ReportFinding[] {
  if (signatures.length === 0) return [reportFinding('dkim_missing', 'The message has no DKIM signature.')];
  return signatures.flatMap((one) => {
    const { result, domain, selector, algorithm, key_bits, comment } = one;
    const evidence = { domain, selector, algorithm, result, comment };
    const who = `The signature of ${domain} (${selector})`;
    // Silence of the DNS is no fault of the signature.
    if (result === 'temperror') return [];
    // One that passes for From is enough: those of a provider beside it may fail.
    const isNeeded = !signatures.some((other) => other.result === 'pass' && other.aligned);
    if (result !== 'pass') {
      const cause = causeOf(one);
      const words = cause === null ? `${who} fails.` : `${who} fails: ${cause.words}.`;
      const seen = { ...evidence, key_bits, cause: cause?.name ?? null };
      const failed = reportFinding('dkim_fail', words, seen, isNeeded ? 'critical' : 'warning');
      return [cause === null ? failed : { ...failed, fix: cause.fix }];
    }
    return [
      ...(key_bits !== null && algorithm?.startsWith('rsa') === true && key_bits < WEAK_BITS
        ? [reportFinding('dkim_key_weak', `${who} is made with a key of ${key_bits} bits.`, { ...evidence, key_bits })]
        : []),
      ...(one.covers_whole_body
        ? []
        : [reportFinding('dkim_body_not_covered', `${who} covers a part of the body only.`, evidence)]),
      ...(one.testing ? [reportFinding('dkim_testing', `${who} says that it is a test.`, evidence)] : []),
    ];
  });
}

/** What makes receivers ignore the signature, whatever the message is; null: nothing that is known. */
function causeOf({ algorithm, key_bits: bits }: DkimSection): { name: string; words: string; fix: string } | null {
  if (algorithm?.endsWith('sha1') === true)
    return {
      name: 'sha1',
      words: `it is made with ${algorithm}, and receivers ignore SHA-1`,
      fix: 'Sign with rsa-sha256 (RFC 8301 section 3.1).',
    };
  if (algorithm?.startsWith('rsa') === true && bits !== null && bits < MIN_BITS)
    return {
      name: 'short_key',
      words: `its key has ${bits} bits, and receivers ignore keys of fewer than ${MIN_BITS}`,
      fix: `Publish an RSA key of ${WEAK_BITS} bits, and sign with it.`,
    };
  return null;
}

function judgeDmarc({ dmarc }: AuthenticationSection): ReportFinding[] {
  const evidence = { ...dmarc };
  if (dmarc.result === 'temperror') return [];
  if (dmarc.record === null)
    return dmarc.result === 'none' && dmarc.domain !== null
      ? [reportFinding('dmarc_missing', `${dmarc.domain} has no DMARC record.`, evidence)]
      : [];
  const found: ReportFinding[] = [];
  if (dmarc.result !== 'pass')
    found.push(reportFinding('dmarc_fail', `Neither SPF nor DKIM passes for ${dmarc.domain}.`, evidence));
  if (dmarc.policy === 'none')
    found.push(
      reportFinding('dmarc_policy_none', `${dmarc.policy_domain} asks receivers for nothing (p=none).`, evidence),
    );
  return found;
}
