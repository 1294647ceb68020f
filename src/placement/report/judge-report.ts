import { judgeAuthentication } from './judge-authentication.js';
import type { ReportSections } from './placement-report.js';
import { type ReportFinding, reportFinding, worstFirst } from './report-finding.js';

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
