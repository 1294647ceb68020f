import { count, counted } from '../parts/figures.js';
import { Empty, Table } from '../parts/paged-table.js';
import type { Account } from '../session/api.js';
import { linkTo } from '../parts/link.js';

interface TlsResult {
  /** What has failed, in a sentence. */
  readonly means: string;
  /** What its owner can do about it. */
  readonly act: string;
}

/** The results of RFC 8460 section 4.3. */
const RESULTS: Readonly<Record<string, TlsResult>> = {
  'starttls-not-supported': {
    means: 'The mail host offered no encryption.',
    act: 'Turn STARTTLS on at this mail host, and let no firewall in front of it take the offer out.',
  },
  'certificate-host-mismatch': {
    means: 'The certificate of the mail host is for another name.',
    act: 'Get a certificate for the name that stands in the MX record, or name the mail host there as its certificate does.',
  },
  'certificate-expired': {
    means: 'The certificate of the mail host has ended.',
    act: 'Renew it, let the mail server read the new one, and see that both happen by themselves from now on.',
  },
  'certificate-not-trusted': {
    means: 'No authority that senders know vouches for the certificate of the mail host.',
    act: 'Use a certificate of a public authority, and let the mail server send those between with it (the whole chain).',
  },
  'validation-failure': {
    means: 'The connection failed for a reason that has no name of its own.',
    act: 'Read the reporter’s own words below, if there are any, and look at the log of this mail host at that time.',
  },
  'tlsa-invalid': {
    means: 'No TLSA record fits the key of the mail host, so senders that follow DANE deliver nothing.',
    act: 'Publish the record for the key that is in use, and at the next change the one for the new key before it is used.',
  },
  'dnssec-invalid': {
    means: 'The DNSSEC signatures of the mail host’s names could not be believed.',
    act: 'Sign the zone again, and see that the DS record of its parent is that of the key in use.',
  },
  'dane-required': {
    means: 'The sender wants DANE, and there was no TLSA record that it could use.',
    act: 'Publish TLSA records for this mail host in a signed zone; until then this sender delivers nothing to it.',
  },
  'sts-policy-fetch-error': {
    means: 'The policy of MTA-STS could not be fetched.',
    act: 'Let https://mta-sts.<your domain>/.well-known/mta-sts.txt answer, without a redirect and with a valid certificate; or take the _mta-sts record away.',
  },
  'sts-policy-invalid': {
    means: 'The policy of MTA-STS could not be read.',
    act: 'Mend the file: the domain check shows what is wrong with it, and the file to publish.',
  },
  'sts-webpki-invalid': {
    means: 'The web server with the policy of MTA-STS has no certificate that can be believed.',
    act: 'Get a certificate of a public authority for the name mta-sts.<your domain>, and keep it renewed.',
  },
};

const NEWER: TlsResult = {
  means: 'The connection failed for a reason that is newer than this page.',
  act: 'Ask whoever reported it, or look for its name.',
};

export const resultOf = (result: string): TlsResult => (Object.hasOwn(RESULTS, result) ? RESULTS[result]! : NEWER);

/** What senders kept to. */
export const POLICIES = { sts: 'MTA-STS', tlsa: 'DANE', 'no-policy-found': 'No policy' } as const;

/** What becomes of mail whose connection fails so. */
const HARMS = {
  sts: 'Where the MTA-STS policy is enforced, mail waits and then goes back to its sender.',
  tlsa: 'With DANE, mail waits and then goes back to its sender.',
  'no-policy-found': 'Without a policy, mail is delivered all the same, in clear where nothing else is possible.',
} as const;

type PolicyType = keyof typeof POLICIES;

/** Without the policy itself nobody keeps to it (RFC 8461 section 5.1). */
const UNREAD = ['sts-policy-fetch-error', 'sts-policy-invalid', 'sts-webpki-invalid'];

/** What becomes of the mail, a sentence for each policy. */
export function harmsOf(result: string, types: readonly PolicyType[]): readonly string[] {
  if (UNREAD.includes(result))
    return ['Senders deliver as if there were no policy, unless they keep to one that they have fetched before.'];
  return types.map((type) => HARMS[type]);
}

/** Whether mail may be lost for it. */
export const stopsMail = (result: string, types: readonly PolicyType[]): boolean =>
  !UNREAD.includes(result) && types.some((type) => type !== 'no-policy-found');

type Reported = Account['schemas']['TlsFailuresReply'];
type Failure = Reported['failures'][number];

interface TlsFailuresProps {
  readonly of: Reported;
  readonly domain: string;
}

/** Each kind of failure with what it means and what to do, the most connections first. */
export function TlsFailures({ of: { failures, failed_sessions: failed }, domain }: TlsFailuresProps) {
  const kinds = [...new Set(failures.map(({ result }) => result))];
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">Why connections failed</h2>
      {kinds.length === 0 ? (
        <Empty title={failed === 0 ? 'No connection has failed' : 'No reporter said why'}>
          <p>
            What fails stands here by its kind, with the mail host, from where it was tried, and what to do about it.
          </p>
        </Empty>
      ) : (
        <p>
          What mail hosts present now is shown by a{' '}
          <a href={`${linkTo('/domains')}?domain=${encodeURIComponent(domain)}`}>check of the domain</a>. Anybody can
          send a report: read each as what somebody says.
        </p>
      )}
      {kinds.map((kind) => (
        <FailureKind key={kind} of={failures.filter(({ result }) => result === kind)} />
      ))}
    </section>
  );
}

function FailureKind({ of: alike }: { readonly of: readonly Failure[] }) {
  const { result } = alike[0]!;
  const { means, act } = resultOf(result);
  const types = [...new Set(alike.map(({ policy_type: type }) => type))];
  const sessions = alike.reduce((sum, one) => sum + one.sessions, 0);
  return (
    <article class={`card finding ${stopsMail(result, types) ? 'critical' : 'warning'}`} aria-label={means}>
      <p class="verdict">
        <strong>{counted(sessions, 'connection')}</strong>
        <span class="mono wrap">{result}</span>
      </p>
      <h3 class="wrap">{means}</h3>
      <p class="wrap">{act}</p>
      {harmsOf(result, types).map((harm) => (
        <p key={harm} class="hint">
          {harm}
        </p>
      ))}
      <Table
        label={`Where: ${result}`}
        rows={alike}
        keyOf={({ policy_type: type, mail_host: host }) => `${type} ${host}`}
        columns={[
          {
            name: 'Mail host',
            cell: ({ mail_host: host, reasons }) => (
              <span class="host">
                {host === null ? <span class="hint">not told</span> : <span class="mono">{host}</span>}
                {reasons.length > 0 && <span class="hint mono below-name">{reasons.join(', ')}</span>}
              </span>
            ),
          },
          { name: 'Policy', cell: ({ policy_type: type }) => <span class="nowrap">{POLICIES[type]}</span> },
          { name: 'Connections', cell: (one) => count(one.sessions), isNumber: true },
          { name: 'Sent from', cell: (one) => <Senders of={one} /> },
          { name: 'Reporters', cell: ({ reporters }) => count(reporters), isNumber: true },
          { name: 'Last (UTC)', cell: ({ last_begins_at: at }) => <time dateTime={at}>{at.slice(0, 10)}</time> },
        ]}
      />
    </article>
  );
}

/** The servers that tried; the service names the first of them. */
function Senders({ of: { senders, sender_addresses: addresses } }: { readonly of: Failure }) {
  if (addresses.length === 0) return <span class="hint">not told</span>;
  const more = senders - addresses.length;
  return (
    <span class="mono lines">
      {addresses.join('\n')}
      {more > 0 && `\nand ${count(more)} more`}
    </span>
  );
}
