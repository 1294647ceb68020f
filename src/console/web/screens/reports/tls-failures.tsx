import { count, counted } from '../../parts/figures.js';
import { Empty, Table } from '../../parts/paged-table.js';
import type { Account } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { harmsOf, POLICIES, resultOf, stopsMail } from './tls-results.js';

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
