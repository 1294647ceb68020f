import { type ReportFinding, reportFinding, type ReportSections, worstFirst } from './placement-report.js';
import type { AuthenticationSection, DkimSection } from './authentication.js';

/** What is wrong, or could be better, by the sections; each with what it was seen by. The worst first. */
export function judgeReport(sections: ReportSections): readonly ReportFinding[] {
  return worstFirst([
    ...judgeTransport(sections),
    ...judgeAuthentication(sections),
    ...judgeHeaders(sections),
    ...judgeUnsubscribe(sections),
    ...judgeContent(sections),
    ...judgeReputation(sections),
    ...judgeSpamFilter(sections),
  ]);
}

const HOST_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;

function judgeTransport({ transport }: ReportSections): ReportFinding[] {
  if (transport === null) return [];
  const { client_address, reverse_name, forward_confirmed, reverse_answered, helo, tls } = transport;
  const found: ReportFinding[] = [];
  if (reverse_answered && reverse_name === null)
    found.push(reportFinding('reverse_name_missing', `${client_address} has no name in the DNS.`, { client_address }));
  if (forward_confirmed === false)
    found.push(
      reportFinding('reverse_name_not_forward', `${reverse_name} does not lead back to ${client_address}.`, {
        client_address,
        reverse_name,
      }),
    );
  if (helo !== null && !HOST_NAME.test(helo))
    found.push(reportFinding('helo_not_a_name', 'The server does not say a full host name in EHLO.', { helo }));
  if (tls === 'none') found.push(reportFinding('tls_missing', 'The mail came in clear.', { tls }));
  if (tls === 'TLSv1' || tls === 'TLSv1.1')
    found.push(reportFinding('tls_old', `The mail came by ${tls}, which is given up.`, { tls }));
  return found;
}

/** Servers' clocks differ by seconds, and mail waits for minutes. */
const FUTURE_S = 600;
const OLD_S = 2 * 86_400;
const MAX_LINE = 998;

function judgeHeaders({ headers, transport }: ReportSections): ReportFinding[] {
  if (headers === null) return [];
  const { from_fields, from_addresses, date, date_age_s, repeated, not_ascii, longest_line } = headers;
  const found: ReportFinding[] = [];
  if (from_fields !== 1 || from_addresses !== 1)
    found.push(
      reportFinding('from_not_one', `There are ${from_fields} From fields with ${from_addresses} addresses.`, {
        from_fields,
        from_addresses,
      }),
    );
  if (date === null) found.push(reportFinding('date_missing', 'There is no Date field.'));
  // A message that nobody has sent has no time at which it came.
  const isOff = date_age_s === null || (transport !== null && (date_age_s < -FUTURE_S || date_age_s > OLD_S));
  if (date !== null && isOff)
    found.push(reportFinding('date_off', 'The Date is not when the mail was sent.', { date, date_age_s }));
  if (!headers.has_message_id)
    found.push(reportFinding('message_id_missing', 'There is no Message-ID of the form <left@right>.'));
  if (repeated.length > 0)
    found.push(
      reportFinding('header_twice', `Fields stand there more than once: ${repeated.join(', ')}.`, { repeated }),
    );
  if (!headers.has_subject) found.push(reportFinding('subject_missing', 'There is no subject.'));
  if (not_ascii.length > 0)
    found.push(
      reportFinding('header_not_ascii', `Fields have characters that are not encoded: ${not_ascii.join(', ')}.`, {
        not_ascii,
      }),
    );
  if (longest_line > MAX_LINE)
    found.push(reportFinding('line_too_long', `A line has ${longest_line} octets.`, { longest_line, limit: MAX_LINE }));
  return found;
}

function judgeUnsubscribe({ unsubscribe }: ReportSections): ReportFinding[] {
  if (unsubscribe === null) return [];
  const { list_unsubscribe, well_formed, one_click, signed } = unsubscribe;
  if (!list_unsubscribe)
    return [reportFinding('unsubscribe_missing', 'Readers cannot leave the list by their mail program.', {}, 'info')];
  const found: ReportFinding[] = [];
  if (!well_formed)
    found.push(
      reportFinding('unsubscribe_malformed', 'List-Unsubscribe is not as RFC 2369 has it.', { ...unsubscribe }),
    );
  if (!one_click)
    found.push(
      reportFinding('unsubscribe_not_one_click', 'Readers cannot leave by one click.', {
        https_hosts: unsubscribe.https_hosts,
        mailto: unsubscribe.mailto,
      }),
    );
  if (one_click && signed === false)
    found.push(
      reportFinding(
        'unsubscribe_not_signed',
        'No DKIM signature that passes covers the fields, so Gmail ignores them.',
        {
          signed,
        },
      ),
    );
  return found;
}

/** Gmail shows so much and hides the rest behind a link. */
const CLIPPED_BYTES = 102 * 1024;
const FEW_CHARACTERS = 20;

function judgeContent({ content }: ReportSections): ReportFinding[] {
  if (content === null) return [];
  const { has_text, has_html, html_bytes, links, images, images_without_alt, active_elements, attachments } = content;
  const found: ReportFinding[] = [];
  const add = (...given: Parameters<typeof reportFinding>): void => void found.push(reportFinding(...given));
  if (!has_text && !has_html) add('body_empty', 'There is neither text nor HTML in it.');
  if (has_html && !has_text) add('text_missing', 'There is HTML and no text.');
  if (html_bytes > CLIPPED_BYTES) add('size_clipped', `The HTML has ${html_bytes} bytes.`, { html_bytes });
  if (images > 0 && content.visible_characters < FEW_CHARACTERS)
    add('image_only', 'There are images and next to no text.', { images, characters: content.visible_characters });
  if (images_without_alt > 0)
    add('image_without_alt', `${images_without_alt} of ${images} images have no alt text.`, {
      images,
      images_without_alt,
    });
  if (links.insecure > 0)
    add('link_insecure', `${links.insecure} of ${links.count} links go by http.`, { insecure: links.insecure });
  if (links.shorteners.length > 0)
    add('link_shortened', `Links go by ${links.shorteners.join(', ')}.`, { shorteners: links.shorteners });
  if (links.addresses.length > 0)
    add('link_to_address', 'Links go to addresses without a name.', { addresses: links.addresses });
  if (links.differing.length > 0)
    add('link_text_differs', 'Links show another domain than they go to.', { differing: links.differing });
  if (active_elements.length > 0)
    add('html_active', `The HTML has elements that nobody runs: ${active_elements.join(', ')}.`, { active_elements });
  const risky = attachments.filter((one) => one.risky).map(({ extension }) => extension);
  if (risky.length > 0)
    add('attachment_risky', `Attachments are of kinds that receivers refuse.`, { extensions: risky });
  return found;
}

function judgeReputation({ reputation }: ReportSections): ReportFinding[] {
  return reputation
    .filter(({ status }) => status === 'listed')
    .map(({ target, worst, lists }) => {
      const listed = lists.filter(({ status }) => status === 'listed');
      const evidence = listed.map(({ list, reason, delist_url }) => ({ list, reason, delist_url }));
      const severity = worst === 'critical' || worst === 'high' ? 'critical' : worst === 'medium' ? 'warning' : 'info';
      const names = listed.map(({ list }) => list).join(', ');
      return reportFinding('listed', `${target} is on ${names}.`, { target, lists: evidence }, severity);
    });
}

/** From this share of what makes spam. */
const CLOSE = 0.7;

function judgeSpamFilter({ spam_filter }: ReportSections): ReportFinding[] {
  if (spam_filter === null || spam_filter.score === null || spam_filter.required === null) return [];
  const { engine, score, required, symbols } = spam_filter;
  const evidence = { engine, score, required, heaviest: symbols.slice(0, 5).map(({ name }) => name) };
  if (score >= required) return [reportFinding('spam_filter_positive', `${engine} calls it spam.`, evidence)];
  if (required > 0 && score >= CLOSE * required)
    return [reportFinding('spam_filter_close', `${engine} nearly calls it spam.`, evidence)];
  return [];
}

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
