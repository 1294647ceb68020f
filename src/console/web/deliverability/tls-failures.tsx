import RESULTS from '../../../../config/tls-results.json';
import { count, counted } from '../parts/values.js';
import { Empty, Section, Table } from '../parts/listing.js';
import type { Account } from '../session/api.js';

/** What has failed in a sentence, and what its owner can do about it. */
type TlsResult = (typeof RESULTS)['validation-failure'];

const NEWER: TlsResult = {
  means: 'The connection failed for a reason that is newer than this page.',
  act: 'Ask whoever reported it, or look for its name.',
};

/** By the results of RFC 8460 section 4.3. */
export const resultOf = (result: string): TlsResult =>
  Object.hasOwn(RESULTS, result) ? RESULTS[result as keyof typeof RESULTS] : NEWER;

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
    <Section id="failures" title="Why connections failed">
      {kinds.length === 0 ? (
        <Empty title={failed === 0 ? 'No connection has failed' : 'No reporter said why'}>
          <p>
            What fails stands here by its kind, with the mail host, from where it was tried, and what to do about it.
          </p>
        </Empty>
      ) : (
        <p>
          What mail hosts present now is shown by a{' '}
          <a href={`/console/domains?domain=${encodeURIComponent(domain)}`}>check of the domain</a>. Anybody can send a
          report: read each as what somebody says.
        </p>
      )}
      {kinds.map((kind) => (
        <FailureKind key={kind} of={failures.filter(({ result }) => result === kind)} />
      ))}
    </Section>
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
        columns={{
          'Mail host': ({ mail_host: host, reasons }) => (
            <span class="host">
              {host === null ? <span class="hint">not told</span> : <span class="mono">{host}</span>}
              {reasons.length > 0 && <span class="hint mono below-name">{reasons.join(', ')}</span>}
            </span>
          ),
          Policy: ({ policy_type: type }) => <span class="nowrap">{POLICIES[type]}</span>,
          Connections: (one) => one.sessions,
          'Sent from': (one) => <Senders of={one} />,
          Reporters: ({ reporters }) => reporters,
          'Last (UTC)': ({ last_begins_at: at }) => <time dateTime={at}>{at.slice(0, 10)}</time>,
        }}
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
