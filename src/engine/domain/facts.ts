import type { DnsAnswer, MxRecord, DomainDns } from '../../mail-dns/domain-dns.js';
import type { BimiFacts, FetchedFile, LogoContent, MarkCertificate } from './bimi-record.js';
import type { DkimKey } from './dkim.js';
import type { DmarcFacts, StrayDmarc, ReportDestinations } from './dmarc.js';
import type { FindingArea, FindingCode } from './finding.js';
import type { RegistrationAnswer } from './registration.js';
import type { SpfResult } from '../../mail-dns/check-host.js';
import type { SpfTree } from '../../mail-dns/spf-tree.js';
import type { StsFetch } from './sts-policy.js';
import type { StartTlsOutcome, TlsaRecord } from './starttls.js';

/** Further questions, which only some resolvers can answer. */
export interface FactDns extends DomainDns {
  ns(name: string): Promise<DnsAnswer<string>>;
  cname(name: string): Promise<DnsAnswer<string>>;
  /** The TLSA records of a name; null: that could not be told. */
  tlsa(name: string): Promise<TlsaAnswer | null>;
  /** Whether the resolver has validated the domain; `bogus`: it answers only when told not to. */
  dnssec(domain: string): Promise<'secure' | 'insecure' | 'bogus' | 'unknown'>;
}

export interface TlsaAnswer {
  readonly records: readonly TlsaRecord[];
  readonly isAuthentic: boolean;
}

/** What is asked of others than the DNS. Nothing of it rejects. */
export interface FactsOutside {
  /** The policy of MTA-STS. */
  stsPolicy(domain: string): Promise<StsFetch>;
  /** How a mail host at one of these addresses encrypts. */
  startTls(host: string, addresses: readonly string[]): Promise<StartTlsOutcome>;
  /** What the registry says of the domain, or of the registered one above it. */
  registration(domain: string): Promise<RegistrationAnswer>;
  /** The logo of BIMI, and the certificate that says whose it is. */
  logo(url: string): Promise<FetchedFile<LogoContent>>;
  markCertificate(url: string): Promise<FetchedFile<MarkCertificate>>;
}

export interface PublishedDmarc {
  readonly at: string;
  readonly record: string;
}

export interface FactsQuery {
  readonly domain: string;
  /** Empty: those that mail services use. */
  readonly selectors: readonly string[];
  /** The DMARC policy that somebody has seen of the domain, and where. */
  readonly lastDmarc?: PublishedDmarc | null;
  /** False: without a selector no key is looked for, because somebody has done so lately. */
  readonly searchesKeys?: boolean;
  /** Addresses that send the domain's mail. */
  readonly senders: readonly string[];
  /** Others than the DNS are asked about these only; null or missing: about all. */
  readonly areas?: readonly FindingArea[] | null;
}

export interface MailHostFacts {
  readonly host: string;
  readonly preference: number;
  readonly addresses: readonly string[];
  readonly alias: string | null;
  /** False: the DNS did not answer for it. */
  readonly isAnswered: boolean;
  readonly tlsa: TlsaAnswer | null;
  /** Null: nobody looked. */
  readonly startTls: StartTlsOutcome | null;
}

export interface SenderFacts {
  readonly address: string;
  /** It was named by the caller, and does not only stand in the record. */
  readonly isGiven: boolean;
  readonly names: readonly string[];
  readonly forwardNames: readonly string[];
  readonly isAnswered: boolean;
  readonly spf: SpfResult;
}

/** A question that nobody answered: of it nothing is said, neither good nor bad. */
export interface Silence {
  /** Whose findings it may hide. */
  readonly area: FindingArea;
  /** The name in the DNS that was asked for; of others than the DNS, who was asked. */
  readonly name: string;
  /**
   * Whether the domain may be worse than it looks. Not where a name was only guessed, and not where others than the DNS were asked, who
   * may answer everybody but us.
   */
  readonly isOpen: boolean;
  /** The findings that it may hide; null: any of its area. */
  readonly hides: readonly FindingCode[] | null;
}

/** What a domain publishes about its mail. */
export interface DomainFacts {
  readonly domain: string;
  /** The DNS says that there is no such name, and knows nothing below it. */
  readonly isMissing: boolean;
  readonly mx: {
    readonly outcome: DnsAnswer<MxRecord>['outcome'];
    readonly hosts: readonly MailHostFacts[];
    readonly isNull: boolean;
    /** One of its records says that there is no mail host. */
    readonly hasNull: boolean;
  };
  readonly hasAddress: boolean;
  readonly spf: SpfTree;
  readonly senders: readonly SenderFacts[];
  readonly dmarc: DmarcFacts;
  /** As it was asked with; null: nobody has seen one. */
  readonly lastDmarc: PublishedDmarc | null;
  readonly strayDmarc: readonly StrayDmarc[];
  readonly reportDestinations: ReportDestinations;
  readonly dkim: {
    readonly asked: readonly string[];
    readonly isGiven: boolean;
    readonly keys: readonly DkimKey[];
    readonly missing: readonly string[];
    /** Selectors with more keys than one. */
    readonly doubled: readonly { readonly selector: string; readonly records: readonly string[] }[];
  };
  /** Every name of the domain has TXT records, so that found ones prove little. */
  readonly hasWildcard: boolean;
  /** What they are, at a name that nobody uses. */
  readonly wildcardTexts: readonly string[];
  readonly mtaSts: readonly string[];
  /** Null: not fetched, since no record promises one or nobody could fetch it. */
  readonly stsPolicy: StsFetch | null;
  readonly tlsRpt: readonly string[];
  /** Of the domain that somebody has registered, itself or above it; none: the DNS did not answer. */
  readonly nameServers: { readonly domain: string; readonly hosts: readonly string[] };
  /** Null: nobody was asked. */
  readonly registration: RegistrationAnswer | null;
  /** Null: there is no record. */
  readonly bimi: BimiFacts | null;
  readonly dnssec: 'secure' | 'insecure' | 'bogus' | 'unknown';
  /** What nobody answered: of it nothing is said. */
  readonly unanswered: readonly Silence[];
}
