import { useRoute } from 'preact-iso';
import { ActionButton } from '../../parts/action.js';
import { announce } from '../../parts/announcer.js';
import { Code } from '../../parts/code.js';
import { Facts } from '../../parts/facts.js';
import { bytes, count } from '../../parts/figures.js';
import { useLoad } from '../../parts/load.js';
import { Time } from '../../parts/time.js';
import { Unloaded } from '../../parts/paged-table.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { type Delivery, DeliveryState } from './endpoint.js';

/** One event for one endpoint, with what was sent and what was answered at each attempt. */
export function DeliveryScreen() {
  const id = useRoute().params['id'] ?? '';
  const path = { id };
  const loaded = useLoad(
    (signal) => take(api.GET('/api/v1/webhooks/deliveries/{id}', { params: { path }, signal })),
    [id],
  );
  const { data, failure, reload } = loaded;
  const delivery = data.value;
  if (delivery === null || failure.value !== null)
    return <Unloaded of={loaded} title="Delivery" to={linkTo('/webhooks')} toTitle="All endpoints" />;
  const again = async () => {
    await take(api.POST('/api/v1/webhooks/deliveries/{id}/redeliver', { params: { path } }));
    announce('It will be sent again.');
    await reload();
  };
  return (
    <>
      <p>
        <a href={linkTo(`/webhooks/${delivery.webhook_id}`)}>The endpoint</a>
      </p>
      <h1>{delivery.type}</h1>
      <div class="card">
        <Facts
          of={[
            ['State', <DeliveryState key="state" state={delivery.status} />],
            ['Message id', <code key="message">{delivery.message_id}</code>],
            delivery.batch_id === null
              ? null
              : [
                  'Batch',
                  <a key="batch" href={linkTo(`/batches/${delivery.batch_id}`)}>
                    {delivery.batch_id}
                  </a>,
                ],
            ['Happened', <Time key="created" at={delivery.created_at} />],
            delivery.next_attempt_at === null
              ? null
              : ['Next attempt', <Time key="next" at={delivery.next_attempt_at} />],
            delivery.finished_at === null ? null : ['Ended', <Time key="finished" at={delivery.finished_at} />],
          ]}
        />
      </div>
      <div class="actions">
        <ActionButton class="primary" onAct={again}>
          Send it again
        </ActionButton>
        <ActionButton onAct={reload}>Look again</ActionButton>
      </div>
      <h2>Attempts</h2>
      {delivery.attempts.length === 0 && <p class="hint">None yet.</p>}
      {delivery.attempts.toReversed().map((attempt) => (
        <AttemptCard key={attempt.number} of={attempt} />
      ))}
    </>
  );
}

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function AttemptCard({ of: attempt }: { readonly of: Delivery['attempts'][number] }) {
  const isGood = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  return (
    <article class="card" aria-label={`Attempt ${attempt.number}`}>
      <h3>
        Attempt {attempt.number}{' '}
        <span class={`badge ${isGood ? 'valid' : 'invalid'}`}>{attempt.status ?? attempt.error ?? 'no answer'}</span>
      </h3>
      <p class="hint">
        <Time at={attempt.at} />, after {count(attempt.latency_ms)} ms
        {attempt.status !== null && attempt.error !== null && `, ${attempt.error}`}
      </p>
      {attempt.reply === '' ? (
        <p class="hint">It answered without a body.</p>
      ) : (
        <Code label="Its answer, the first 1 KiB" text={attempt.reply} />
      )}
      {attempt.request === null ? (
        <p class="hint">No request could be made.</p>
      ) : (
        <details>
          <summary>What was sent, {bytes(attempt.request.body_bytes)}</summary>
          <Code label="Headers of the request" text={headerLines(attempt.request.headers)} />
          {attempt.request.body === null ? (
            <p class="hint">Its body is no longer kept as it was sent: its list or an address in it was deleted.</p>
          ) : (
            <Code label="Body of the request, the first 4,096 characters" text={attempt.request.body} />
          )}
          <p class="hint">The signature is masked: who has it could send this request in our name.</p>
        </details>
      )}
    </article>
  );
}
