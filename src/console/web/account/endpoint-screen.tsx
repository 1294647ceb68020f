import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import { Confirm, FormDialog, Opener, ShownOnce } from '../parts/dialog.js';
import { ActionButton, TextField } from '../parts/form.js';
import { announce } from '../parts/announcer.js';
import { Countdown, Facts, Time } from '../parts/values.js';
import { type Part, Unloaded, useLoad } from '../parts/listing.js';
import { api } from '../session/api.js';
import { DeliveriesSection } from './deliveries.js';
import { disabledBecause, type Endpoint, EndpointState, EVENTS, EventChoice } from './webhooks-screen.js';

/** One endpoint: what it gets, what it answered, and what is sent to it again. */
export function EndpointScreen() {
  const id = useRoute().params['id'] ?? '';
  const path = { id };
  const loaded = useLoad((signal) => api.get('/api/v1/webhooks/{id}', { path, signal }), [id]);
  const { data, failure, reload } = loaded;
  const sent = useSignal(0);
  const endpoint = data.value;
  if (endpoint === null || failure.value !== null)
    return <Unloaded of={loaded} title="Endpoint" to="/console/webhooks" toTitle="All endpoints" />;
  const turn = (enabled: boolean) => api.patch('/api/v1/webhooks/{id}', { path, body: { enabled } });
  const sentOne = () => {
    sent.value++;
    announce('A delivery is on its way.');
  };
  return (
    <>
      <p>
        <a href="/console/webhooks">All endpoints</a>
      </p>
      <h1 class="long">{endpoint.url}</h1>
      <StateBanner of={endpoint} onEnable={() => turn(true).then(reload)} />
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
        <ActionButton onAct={() => api.post('/api/v1/webhooks/{id}/test', { path })} onDone={sentOne}>
          Send a test
        </ActionButton>
        <Samples id={id} onSent={sentOne} />
        <EditEndpoint of={endpoint} onChanged={reload} />
        <NewSecret of={endpoint} onChanged={reload} />
        {endpoint.enabled && (
          <ActionButton onAct={() => turn(false)} onDone={reload}>
            Switch off
          </ActionButton>
        )}
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
  return (
    <Opener action="Send an example">
      {(close) => (
        <>
          <p>The body of a real event with made-up contents, marked as a sample.</p>
          <div class="actions">
            {EVENTS.map((event) => (
              <ActionButton
                key={event}
                onAct={() => api.post('/api/v1/webhooks/{id}/samples/{event}', { path: { id, event } })}
                onDone={() => {
                  onSent();
                  close();
                }}
              >
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
  const body = { url: url.value.trim(), events: [...events.value], include_results: Number(rows.value) };
  return (
    <FormDialog
      action="Change"
      title="Change the endpoint"
      submit="Save"
      onAct={() => api.patch('/api/v1/webhooks/{id}', { path: { id: of.id }, body })}
      onDone={onChanged}
      isIncomplete={events.value.length === 0}
    >
      <TextField label="URL" type="url" value={url} required maxLength={2048} />
      <EventChoice chosen={events.value} onChange={(chosen) => (events.value = chosen)} />
      <TextField label="Rows of results in a body, at most" type="number" min={0} max={1000} value={rows} />
    </FormDialog>
  );
}

function NewSecret({ of: { id }, onChanged }: Part<Endpoint>) {
  const made = useSignal<string | null>(null);
  const rotate = async () => (await api.post('/api/v1/webhooks/{id}/rotate-secret', { path: { id } })).secret;
  return (
    <Opener action="New secret">
      {() => (
        <ShownOnce label="Secret" action="Make a new secret" make={rotate} made={made} onDone={onChanged}>
          <p>For 24 hours both secrets sign every request, so that you can change over without losing one.</p>
        </ShownOnce>
      )}
    </Opener>
  );
}

function DeleteEndpoint({ id }: { readonly id: string }) {
  const { route } = useLocation();
  return (
    <Confirm
      action="Delete"
      onAct={() => api.delete('/api/v1/webhooks/{id}', { path: { id } })}
      onDone={() => route('/console/webhooks')}
    >
      <p>The endpoint and the log of its deliveries are deleted. Nothing is sent there any more.</p>
    </Confirm>
  );
}
