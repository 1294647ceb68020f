import { StateBadge } from '../../parts/deliverability/state-badge.js';
import { FailureNote } from '../../parts/failure.js';
import { useLoad } from '../../parts/load.js';
import { Waiting } from '../../parts/paged-table.js';
import { type Account, api, take } from '../../shell/api.js';
import { diffLines } from './diff-lines.js';

type Diff = Account['schemas']['MonitorDiffReply'];

interface RunDiffProps {
  readonly monitorId: number;
  readonly from: number;
  readonly to: number;
}

/** Records, listings and findings that one look has and the other has not, as a text with plus and minus. */
export function RunDiff({ monitorId, from, to }: RunDiffProps) {
  const { data, failure } = useLoad(
    (signal) =>
      take(
        api.GET('/api/v1/monitors/{id}/diff', {
          params: { path: { id: monitorId }, query: { from: String(from), to: String(to) } },
          signal,
        }),
      ),
    [monitorId, from, to],
  );
  if (failure.value !== null) return <FailureNote failure={failure.value} />;
  if (data.value === null) return <Waiting />;
  const lines = diffLines(data.value);
  const { findings_opened: opened, findings_resolved: resolved } = data.value;
  if (lines.length + opened.length + resolved.length === 0) return <p class="hint">Nothing is different.</p>;
  return (
    <>
      {lines.length > 0 && (
        <ul class="diff mono" aria-label="What is different">
          {lines.map(({ sign, text }) => (
            <li key={sign + text} class={sign === '+' ? 'valid' : 'invalid'}>
              <span aria-hidden="true">{sign} </span>
              <span class="visually-hidden">{sign === '+' ? 'new: ' : 'gone: '}</span>
              {text}
            </li>
          ))}
        </ul>
      )}
      <FindingLines title="Opened" of={opened} />
      <FindingLines title="Resolved" of={resolved} />
    </>
  );
}

function FindingLines({ title, of: findings }: { readonly title: string; readonly of: Diff['findings_opened'] }) {
  if (findings.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="plain">
        {findings.map(({ code, subject, severity, explanation }) => (
          <li key={`${code} ${subject}`}>
            <StateBadge state={severity} /> <span class="wrap">{explanation}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
