import { render } from 'preact';
import { counted } from '../parts/values.js';
import { CountsBar, type Verdict, VERDICTS } from '../parts/verdict-counts.js';
import { ACTIONS } from '../parts/verification.js';
import '../style.css';
import './card.css';
import { followHost, type Members, membersOf } from './host.js';

/* A result comes through a client that may do anything with it, so each member may be missing or something else. */
const MAX_ROWS = 25;
const MAX_TEXT_LENGTH = 500;

const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : '');
const figure = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const verdictOf = (value: unknown): Verdict => VERDICTS.find((verdict) => verdict === value) ?? 'unknown';
const adviceOf = (action: unknown): string => (Object.hasOwn(ACTIONS, text(action)) ? ACTIONS[text(action)]! : '');

/** Which card a result is shown by: its members say what it is. */
function Card({ result }: { readonly result: Members }) {
  if (result['success'] === false) return <Refusal result={result} />;
  if (Array.isArray(result['results'])) return <List result={result} rows={result['results'].map(membersOf)} />;
  if (result['batch_id'] !== undefined) return <Batch result={result} />;
  if (result['result'] !== undefined) return <Verification result={result} />;
  return <p>There is nothing to show.</p>;
}

function Badge({ verdict }: { readonly verdict: Verdict }) {
  return <span class={`badge ${verdict}`}>{verdict}</span>;
}

function Verification({ result }: { readonly result: Members }) {
  const meant = text(result['did_you_mean']);
  return (
    <>
      <h1 class="mono">{text(result['email'])}</h1>
      <p class="verdict">
        <strong>{adviceOf(result['action'])}</strong>
        <Badge verdict={verdictOf(result['result'])} />
      </p>
      <p>{text(result['explanation'])}</p>
      {meant !== '' && (
        <p>
          Did you mean <strong>{meant}</strong>?
        </p>
      )}
      <dl class="facts">
        <dt>Reason</dt>
        <dd class="mono">{text(result['reason'])}</dd>
        <dt>Score</dt>
        <dd>{figure(result['score'])} of 100</dd>
      </dl>
    </>
  );
}

function Batch({ result }: { readonly result: Members }) {
  const total = figure(result['total_emails']);
  const processed = figure(result['processed']);
  return (
    <>
      <h1>{text(result['name']) || `Batch ${figure(result['batch_id'])}`}</h1>
      <p class="verdict">
        <strong>{text(result['status'])}</strong>
        <span>
          {processed} of {counted(total, 'address', 'addresses')}
        </span>
      </p>
      <Counts counts={membersOf(result['counts'])} total={total} />
    </>
  );
}

function Counts({ counts, total }: { readonly counts: Members; readonly total: number }) {
  const told = Object.fromEntries(VERDICTS.map((verdict) => [verdict, figure(counts[verdict])]));
  return (
    <>
      <CountsBar counts={told} total={total} />
      <dl class="facts">
        {VERDICTS.map((verdict) => [
          <dt key={verdict}>
            <Badge verdict={verdict} />
          </dt>,
          <dd key={`${verdict} rows`}>{told[verdict]}</dd>,
        ])}
      </dl>
    </>
  );
}

function List({ result, rows }: { readonly result: Members; readonly rows: readonly Members[] }) {
  const shown = rows.slice(0, MAX_ROWS);
  const isCut = rows.length > shown.length || typeof result['next_cursor'] === 'string';
  return (
    <>
      <h1>{text(result['name']) || 'Verdicts'}</h1>
      <ul class="rows">
        {shown.map((row, position) => (
          <li key={position}>
            <span class="mono">{text(row['email'])}</span>
            <Badge verdict={verdictOf(row['result'])} />
            <span class="hint">{adviceOf(row['action'])}</span>
          </li>
        ))}
      </ul>
      {isCut && <p class="hint">The list has more rows than these {shown.length}.</p>}
    </>
  );
}

function Refusal({ result }: { readonly result: Members }) {
  return (
    <div class="error">
      <h1>{text(result['error'])}</h1>
      <p>{text(result['next_step'])}</p>
    </div>
  );
}

const place = document.querySelector('#card')!;
const show = (shown: Parameters<typeof render>[0]) => render(shown, place);

show(<p class="hint">Waiting for the result.</p>);
followHost({
  onInput: ({ email, emails }) => {
    const asked = Array.isArray(emails) ? counted(emails.length, 'address', 'addresses') : text(email);
    if (asked !== '') show(<p class="hint">Asking about {asked}.</p>);
  },
  onResult: (result) => show(<Card result={result} />),
  onCancelled: () => show(<p class="hint">The call was cancelled.</p>),
});
