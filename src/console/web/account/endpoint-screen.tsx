import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import { ActionButton, ActionForm } from '../parts/action.js';
import { announce } from '../parts/announcer.js';
import { Code } from '../parts/code.js';
import { Confirm, Opener } from '../parts/dialog.js';
import { Facts } from '../parts/facts.js';
import { TextField } from '../parts/field.js';
import { useLoad } from '../parts/load.js';
import { Countdown, Time } from '../parts/time.js';
import { Unloaded, type Part } from '../parts/paged-table.js';
import { api, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';
import { DeliveriesSection } from './deliveries.js';
import { disabledBecause, type Endpoint, EndpointState, EVENTS, EventChoice } from './webhooks-screen.js';

/** One endpoint: what it gets, what it answered, and what is sent to it again. */
export function EndpointScreen() {
  const id = useRoute().params['id'] ?? '';
  const path = { id };
  const loaded = useLoad((signal) => take(api.GET('/api/v1/webhooks/{id}', { params: { path }, signal })), [id]);
  const { data, failure, reload } = loaded;
  const sent = useSignal(0);
  const endpoint = data.value;
  if (endpoint === null || failure.value !== null)
    return <Unloaded of={loaded} title="Endpoint" to={linkTo('/webhooks')} toTitle="All endpoints" />;
  const change = async (body: { enabled?: boolean }) => {
    await take(api.PATCH('/api/v1/webhooks/{id}', { params: { path }, body }));
    await reload();
  };
  const sentOne = () => {
    sent.value++;
    announce('A delivery is on its way.');
  };
  return (
    <>
      <p>
        <a href={linkTo('/webhooks')}>All endpoints</a>
      </p>
      <h1 class="long">{endpoint.url}</h1>
      <StateBanner of={endpoint} onEnable={() => change({ enabled: true })} />
      <div class="card">
        <Facts
          of={{
            State: <EndpointState of={endpoint} />,
            Events: endpoint.events.length === EVENTS.length ? 'all' : endpoint.events.join(', '),
            'Rows of results in a body': `at most ${endpoint.include_results}`,
            Confirmed: <Time at={endpoint.confirmed_at} none="not yet: it has answered nothing with 2xx" />,
            'Last success': <Time at={endpoint.last_success_at} />,
            'Old secret': endpoint.old_secret_expires_at && (
              <>
                signs too for <Countdown until={endpoint.old_secret_expires_at} over="no longer" />
              </>
            ),
          }}
        />
      </div>
      <div class="actions">
        <ActionButton
          onAct={async () => {
            await take(api.POST('/api/v1/webhooks/{id}/test', { params: { path } }));
            sentOne();
          }}
        >
          Send a test
        </ActionButton>
        <Samples id={id} onSent={sentOne} />
        <EditEndpoint of={endpoint} onChanged={reload} />
        <RotateSecret id={id} onRotated={reload} />
        {endpoint.enabled && <ActionButton onAct={() => change({ enabled: false })}>Switch off</ActionButton>}
        <DeleteEndpoint id={id} />
      </div>
      <DeliveriesSection id={id} on={sent.value} />
    </>
  );
}

function StateBanner({ of, onEnable }: { readonly of: Endpoint; readonly onEnable: () => Promise<void> }) {
  const because = disabledBecause(of);
  if (because !== null)
    return (
      <div class="error">
        <p>
          Nothing is sent here, because {because} (<Time at={of.disabled_at} />
          ). What happened meanwhile can be sent again below.
        </p>
        <ActionButton onAct={onEnable}>Switch on again</ActionButton>
      </div>
    );
  if (of.failing_since === null) return null;
  return (
    <p class="error">
      It has failed since <Time at={of.failing_since} />. Each delivery is tried again for days; an endpoint that keeps
      failing is switched off.
    </p>
  );
}

function Samples({ id, onSent }: { readonly id: string; readonly onSent: () => void }) {
  const send = async (event: Endpoint['events'][number]) => {
    await take(api.POST('/api/v1/webhooks/{id}/samples/{event}', { params: { path: { id, event } } }));
    onSent();
  };
  return (
    <Opener action="Send an example">
      {(close) => (
        <>
          <p>The body of a real event with made-up contents, marked as a sample.</p>
          <div class="actions">
            {EVENTS.map((event) => (
              <ActionButton key={event} onAct={() => send(event).then(close)}>
                {event}
              </ActionButton>
            ))}
          </div>
        </>
      )}
    </Opener>
  );
}

function EditEndpoint({ of, onChanged }: Part<Endpoint>) {
  const url = useSignal(of.url);
  const events = useSignal<readonly Endpoint['events'][number][]>(of.events);
  const rows = useSignal(String(of.include_results));
  const save = async (close: () => void) => {
    const body = { url: url.value.trim(), events: [...events.value], include_results: Number(rows.value) };
    await take(api.PATCH('/api/v1/webhooks/{id}', { params: { path: { id: of.id } }, body }));
    close();
    await onChanged();
  };
  return (
    <Opener action="Change" title="Change the endpoint">
      {(close) => (
        <ActionForm action="Save" onAct={() => save(close)} disabled={events.value.length === 0}>
          <TextField label="URL" type="url" value={url} required maxLength={2048} />
          <EventChoice chosen={events.value} onChange={(chosen) => (events.value = chosen)} />
          <TextField label="Rows of results in a body, at most" type="number" min={0} max={1000} value={rows} />
        </ActionForm>
      )}
    </Opener>
  );
}

function RotateSecret({ id, onRotated }: { readonly id: string; readonly onRotated: () => Promise<void> }) {
  const secret = useSignal<string | null>(null);
  const rotate = async () => {
    const reply = await take(api.POST('/api/v1/webhooks/{id}/rotate-secret', { params: { path: { id } } }));
    secret.value = reply.secret;
    await onRotated();
  };
  return (
    <Opener action="New secret" onClose={() => (secret.value = null)}>
      {() =>
        secret.value === null ? (
          <ActionForm action="Make a new secret" onAct={rotate}>
            <p>For 24 hours both secrets sign every request, so that you can change over without losing one.</p>
          </ActionForm>
        ) : (
          <>
            <p>It is shown now and never again.</p>
            <Code label="Secret" text={secret.value} />
          </>
        )
      }
    </Opener>
  );
}

function DeleteEndpoint({ id }: { readonly id: string }) {
  const { route } = useLocation();
  const remove = async () => {
    await take(api.DELETE('/api/v1/webhooks/{id}', { params: { path: { id } } }));
    route(linkTo('/webhooks'));
  };
  return (
    <Confirm action="Delete" onAct={remove}>
      <p>The endpoint and the log of its deliveries are deleted. Nothing is sent there any more.</p>
    </Confirm>
  );
}
