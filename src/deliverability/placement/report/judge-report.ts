import { type ReportFinding, reportFinding, type ReportSections, worstFirst } from './placement-report.js';
import type { AuthenticationReply, DkimReply } from './report-sections.reply.js';

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

/** Those that hold. */
function thoseOf(...given: readonly (Parameters<typeof reportFinding> | false)[]): ReportFinding[] {
  return given.flatMap((one) => (one === false ? [] : [reportFinding(...one)]));
}

function judgeTransport({ transport }: ReportSections): ReportFinding[] {
  if (transport === null) return [];
  const { client_address, reverse_name, forward_confirmed, reverse_answered, helo, tls } = transport;
  const isNameless = reverse_answered && reverse_name === null;
  const way = { client_address, reverse_name };
  return thoseOf(
    isNameless && ['reverse_name_missing', `${client_address} has no name in the DNS.`, { client_address }],
    forward_confirmed === false && [
      'reverse_name_not_forward',
      `${reverse_name} does not lead back to ${client_address}.`,
      way,
    ],
    helo !== null &&
      !HOST_NAME.test(helo) && ['helo_not_a_name', 'The server does not say a full host name in EHLO.', { helo }],
    tls === 'none' && ['tls_missing', 'The mail came in clear.', { tls }],
    (tls === 'TLSv1' || tls === 'TLSv1.1') && ['tls_old', `The mail came by ${tls}, which is given up.`, { tls }],
  );
}

/** Servers' clocks differ by seconds, and mail waits for minutes. */
const FUTURE_S = 600;
const OLD_S = 2 * 86_400;
const MAX_LINE = 998;

function judgeHeaders({ headers, transport }: ReportSections): ReportFinding[] {
  if (headers === null) return [];
  const { from_fields, from_addresses, date, date_age_s, repeated, not_ascii, longest_line } = headers;
  // A message that nobody has sent has no time at which it came.
  const isOff = date_age_s === null || (transport !== null && (date_age_s < -FUTURE_S || date_age_s > OLD_S));
  const froms = `There are ${from_fields} From fields with ${from_addresses} addresses.`;
  const odd = `Fields have characters that are not encoded: ${not_ascii.join(', ')}.`;
  const long = { longest_line, limit: MAX_LINE };
  return thoseOf(
    (from_fields !== 1 || from_addresses !== 1) && ['from_not_one', froms, { from_fields, from_addresses }],
    date === null && ['date_missing', 'There is no Date field.'],
    date !== null && isOff && ['date_off', 'The Date is not when the mail was sent.', { date, date_age_s }],
    !headers.has_message_id && ['message_id_missing', 'There is no Message-ID of the form <left@right>.'],
    repeated.length > 0 && ['header_twice', `Fields stand there more than once: ${repeated.join(', ')}.`, { repeated }],
    !headers.has_subject && ['subject_missing', 'There is no subject.'],
    not_ascii.length > 0 && ['header_not_ascii', odd, { not_ascii }],
    longest_line > MAX_LINE && ['line_too_long', `A line has ${longest_line} octets.`, long],
  );
}

function judgeUnsubscribe({ unsubscribe }: ReportSections): ReportFinding[] {
  if (unsubscribe === null) return [];
  const { list_unsubscribe, well_formed, one_click, signed } = unsubscribe;
  if (!list_unsubscribe)
    return [reportFinding('unsubscribe_missing', 'Readers cannot leave the list by their mail program.', {}, 'info')];
  const uncovered = 'No DKIM signature that passes covers the fields, so Gmail ignores them.';
  const { https_hosts, mailto } = unsubscribe;
  return thoseOf(
    !well_formed && ['unsubscribe_malformed', 'List-Unsubscribe is not as RFC 2369 has it.', unsubscribe],
    !one_click && ['unsubscribe_not_one_click', 'Readers cannot leave by one click.', { https_hosts, mailto }],
    one_click && signed === false && ['unsubscribe_not_signed', uncovered, { signed }],
  );
}

/** Gmail shows so much and hides the rest behind a link. */
const CLIPPED_BYTES = 102 * 1024;
const FEW_CHARACTERS = 20;

function judgeContent({ content }: ReportSections): ReportFinding[] {
  if (content === null) return [];
  const { has_text, has_html, html_bytes, links, images, images_without_alt, active_elements, attachments } = content;
  const { visible_characters: characters } = content;
  const { insecure, shorteners, addresses, differing } = links;
  const extensions = attachments.filter((one) => one.risky).map(({ extension }) => extension);
  const bare = `${images_without_alt} of ${images} images have no alt text.`;
  const run = `The HTML has elements that nobody runs: ${active_elements.join(', ')}.`;
  return thoseOf(
    !has_text && !has_html && ['body_empty', 'There is neither text nor HTML in it.'],
    has_html && !has_text && ['text_missing', 'There is HTML and no text.'],
    html_bytes > CLIPPED_BYTES && ['size_clipped', `The HTML has ${html_bytes} bytes.`, { html_bytes }],
    images > 0 &&
      characters < FEW_CHARACTERS && ['image_only', 'There are images and next to no text.', { images, characters }],
    images_without_alt > 0 && ['image_without_alt', bare, { images, images_without_alt }],
    insecure > 0 && ['link_insecure', `${insecure} of ${links.count} links go by http.`, { insecure }],
    shorteners.length > 0 && ['link_shortened', `Links go by ${shorteners.join(', ')}.`, { shorteners }],
    addresses.length > 0 && ['link_to_address', 'Links go to addresses without a name.', { addresses }],
    differing.length > 0 && ['link_text_differs', 'Links show another domain than they go to.', { differing }],
    active_elements.length > 0 && ['html_active', run, { active_elements }],
    extensions.length > 0 && ['attachment_risky', `Attachments are of kinds that receivers refuse.`, { extensions }],
  );
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
  const { arc } = authentication;
  return [
    ...judgeSpf(authentication),
    ...judgeDkim(authentication.dkim),
    ...judgeDmarc(authentication),
    ...thoseOf(arc.result === 'fail' && ['arc_fail', 'The ARC chain does not hold.', arc]),
  ];
}

function judgeSpf({ spf }: AuthenticationReply): ReportFinding[] {
  if (spf === null) return [];
  const { result, domain } = spf;
  if (result === 'none') return [reportFinding('spf_missing', `${domain} publishes no SPF record.`, spf)];
  if (result === 'permerror')
    return [reportFinding('spf_broken', `The SPF record of ${domain} cannot be read to its end.`, spf)];
  const words = `The SPF record of ${domain} does not name the sending address.`;
  if (result === 'fail') return [reportFinding('spf_fail', words, spf)];
  if (result === 'softfail') return [reportFinding('spf_fail', words, spf, 'warning')];
  // `temperror` is silence of the DNS, and `neutral` says nothing.
  return [];
}

function judgeDkim(signatures: readonly DkimReply[]): ReportFinding[] {
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
    const isWeak = key_bits !== null && algorithm?.startsWith('rsa') === true && key_bits < WEAK_BITS;
    return thoseOf(
      isWeak && ['dkim_key_weak', `${who} is made with a key of ${key_bits} bits.`, { ...evidence, key_bits }],
      !one.covers_whole_body && ['dkim_body_not_covered', `${who} covers a part of the body only.`, evidence],
      one.testing && ['dkim_testing', `${who} says that it is a test.`, evidence],
    );
  });
}

/** What makes receivers ignore the signature, whatever the message is; null: nothing that is known. */
function causeOf({ algorithm, key_bits: bits }: DkimReply): { name: string; words: string; fix: string } | null {
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

function judgeDmarc({ dmarc }: AuthenticationReply): ReportFinding[] {
  if (dmarc.result === 'temperror') return [];
  if (dmarc.record === null)
    return dmarc.result === 'none' && dmarc.domain !== null
      ? [reportFinding('dmarc_missing', `${dmarc.domain} has no DMARC record.`, dmarc)]
      : [];
  const silent = `${dmarc.policy_domain} asks receivers for nothing (p=none).`;
  return thoseOf(
    dmarc.result !== 'pass' && ['dmarc_fail', `Neither SPF nor DKIM passes for ${dmarc.domain}.`, dmarc],
    dmarc.policy === 'none' && ['dmarc_policy_none', silent, dmarc],
  );
}
