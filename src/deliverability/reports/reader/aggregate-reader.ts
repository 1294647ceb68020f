import {
  type AggregateReport,
  type Authentication,
  domainOf,
  isWithin,
  POLICY_TAGS,
  type PublishedPolicy,
  type RecordTexts,
  type ReportRow,
  rowOf,
  type UnplacedRow,
} from './aggregate-report.js';
import { READ_LIMITS, Unreadable } from './read-limits.js';
import { shownText } from './report-text.js';
import { walkXml, type XmlBudget, type XmlRoot } from './xml-walk.js';

/** Of the schema of RFC 9990; many of its reporters leave it out, and some of RFC 7489 declare another one or none. */
const NAMESPACE = 'urn:ietf:params:xml:ns:dmarc-2.0';
/** Elements that only RFC 9990 has: a report without its namespace is known by them. */
const NEW_ELEMENTS = ['report_metadata/generator', 'policy_published/np', 'policy_published/testing'];
const DISCOVERY = 'policy_published/discovery_method';
/** Signatures of one message that are looked at. */
const MAX_SIGNATURES = 16;
/** Seconds since 1970, before the year 10000; some reporters write them with a fraction. */
const SECONDS = /^(\d{1,11})(?:\.\d{0,9})?$/;
/** What comes after the root, which may stand in another element. */
const PLACE = /^(?:[^/]+\/)(?:feedback\/)?(.*)$/;
const FEEDBACK = /^(?:[^/]+\/)?feedback$/;
const POLICY_WORD = /^[a-z0-9]{1,16}$/;

/** Texts of a record by their places. */
const RECORD_TEXTS = new Map<string, Exclude<keyof RecordTexts, 'signatures' | 'spfChecks'>>([
  ['row/source_ip', 'source'],
  ['row/count', 'count'],
  ['row/policy_evaluated/disposition', 'disposition'],
  ['row/policy_evaluated/dkim', 'dkim'],
  ['row/policy_evaluated/spf', 'spf'],
  ['row/policy_evaluated/reason/type', 'override'],
  ['identifiers/header_from', 'headerFrom'],
  // The draft that came before RFC 7489 is still in use.
  ['identities/header_from', 'headerFrom'],
]);

/**
 * An aggregate report out of its XML, by the schema of RFC 9990 (draft 32 is the text that became it) and that of
 * RFC 7489 appendix C. Elements are known by their place; others are passed over, as RFC 9990 ("Extensible Reporting") has it.
 * @throws Unreadable
 */
export async function readAggregate(xml: Uint8Array, budget: XmlBudget): Promise<AggregateReport> {
  try {
    return await readXml(xml, { escapes: 'strict', budget });
  } catch (fault) {
    // Many programs that write reports escape nothing.
    if (fault instanceof Unreadable && fault.refusal === 'xml_malformed')
      return await readXml(xml, { escapes: 'lenient', budget });
    throw fault;
  }
}

async function readXml(xml: Uint8Array, how: Parameters<typeof walkXml>[2]): Promise<AggregateReport> {
  const reading = new AggregateReading();
  const { begin, end } = { begin: reading.begin.bind(reading), end: reading.end.bind(reading) };
  await walkXml(xml, { begin, end }, how);
  return reading.report();
}

class AggregateReading {
  readonly #texts = new Map<string, string>();
  readonly #rows: UnplacedRow[] = [];
  #records = 0;
  /** What comes behind it is of another report. */
  #isOver = false;
  #namespace: string | null = null;
  #record = newRecord();
  #authentication: Authentication = {};

  begin({ namespace }: XmlRoot): void {
    this.#namespace = namespace;
  }

  end(path: string, text: string): void {
    // Some reporters call the root otherwise, or put one around it.
    const [, place = ''] = PLACE.exec(path) ?? [];
    if (FEEDBACK.test(path)) this.#isOver = true;
    else if (place === 'record') this.#endRecord();
    else if (this.#isOver) return;
    else if (place.startsWith('record/')) this.#inRecord(place.slice('record/'.length), text);
    else if (/^(?:report_metadata|policy_published)\//.test(place) && !this.#texts.has(place))
      this.#texts.set(place, text);
  }

  report(): AggregateReport {
    const domain = domainOf(this.#text('policy_published/domain') ?? undefined);
    const email = this.#text('report_metadata/email');
    const organization = this.#text('report_metadata/org_name') ?? domainOf(email?.slice(email.lastIndexOf('@') + 1));
    const reportId = this.#text('report_metadata/report_id')?.replace(/^<(.+)>$/, '$1');
    const begin = secondsOf(this.#text('report_metadata/date_range/begin'));
    const end = secondsOf(this.#text('report_metadata/date_range/end'));
    if (this.#texts.size === 0 && this.#records === 0) throw new Unreadable('no_report');
    if (domain === null || organization === null || reportId === undefined) throw new Unreadable('report_incomplete');
    if (begin === null || end === null || end < begin) throw new Unreadable('report_incomplete');
    const rows = summedRows(this.#rows, domain);
    const placed = this.#rows.filter((row) => placeOf(row, domain) !== null).length;
    return {
      form: this.#isNew() ? 'rfc9990' : 'rfc7489',
      organization,
      reportId,
      begin,
      end,
      domain,
      policy: this.#policy(),
      generator: this.#text('report_metadata/generator'),
      rows,
      recordsLeftOut: this.#records - placed,
    };
  }

  #inRecord(place: string, text: string): void {
    const member = RECORD_TEXTS.get(place);
    if (member === undefined) this.#inAuthentication(place, text);
    else this.#record[member] ??= text;
  }

  #inAuthentication(place: string, text: string): void {
    const [results, kind, field, ...deeper] = place.split('/');
    if (results !== 'auth_results' || (kind !== 'dkim' && kind !== 'spf') || deeper.length > 0) return;
    if (field === 'domain' || field === 'result' || field === 'scope') {
      this.#authentication[field] ??= text;
    } else if (field === undefined) {
      const all = kind === 'dkim' ? this.#record.signatures : this.#record.spfChecks;
      if (all.length < MAX_SIGNATURES) all.push(this.#authentication);
      this.#authentication = {};
    }
  }

  #endRecord(): void {
    if (++this.#records > READ_LIMITS.records) throw new Unreadable('too_many_records');
    const row = this.#isOver ? null : rowOf(this.#record);
    if (row !== null) this.#rows.push(row);
    this.#record = newRecord();
  }

  #isNew(): boolean {
    return this.#namespace === NAMESPACE || [...NEW_ELEMENTS, DISCOVERY].some((place) => this.#texts.has(place));
  }

  #policy(): PublishedPolicy {
    const word = (tag: string): string | null => {
      const text = this.#texts.get(`policy_published/${tag}`)?.toLowerCase() ?? '';
      return POLICY_WORD.test(text) ? text : null;
    };
    const words = Object.fromEntries(POLICY_TAGS.map((tag) => [tag, word(tag)]));
    return { ...(words as Omit<PublishedPolicy, 'discoveryMethod'>), discoveryMethod: word('discovery_method') };
  }

  #text(place: string): string | null {
    return shownText(this.#texts.get(place) ?? '');
  }
}

function newRecord(): RecordTexts & { signatures: Authentication[]; spfChecks: Authentication[] } {
  return { signatures: [], spfChecks: [] };
}

function secondsOf(text: string | null): Date | null {
  const seconds = SECONDS.exec(text ?? '')?.[1];
  return seconds === undefined ? null : new Date(Number(seconds) * 1_000);
}

/**
 * The rows of a domain and its subdomains, each combination once, the most messages first. A record without a From is one of
 * the domain itself; one of another domain has no place in the report.
 */
function summedRows(rows: readonly UnplacedRow[], domain: string): readonly ReportRow[] {
  const summed = new Map<string, ReportRow>();
  for (const row of rows) {
    const headerFrom = placeOf(row, domain);
    if (headerFrom === null) continue;
    const { headerFroms: _, messages, ...others } = row;
    const rest = { ...others, headerFrom };
    const key = JSON.stringify(Object.values(rest));
    summed.set(key, { ...rest, messages: messages + (summed.get(key)?.messages ?? 0) });
  }
  return [...summed.values()].toSorted((one, other) => other.messages - one.messages);
}

/** The name in From that a row of the domain's report is about; null: it is about another domain. */
function placeOf({ headerFroms }: UnplacedRow, domain: string): string | null {
  return headerFroms.length === 0 ? domain : (headerFroms.find((name) => isWithin(name, domain)) ?? null);
}
