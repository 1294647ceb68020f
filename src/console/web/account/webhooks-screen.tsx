import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { type Account, api } from '../session/api.js';
import { Dialog } from '../parts/dialog.js';
import { ActionForm, CheckField, TextField } from '../parts/form.js';
import { Code } from '../parts/code.js';
import { Listing } from '../parts/listing.js';
import { Time } from '../parts/values.js';

export type Endpoint = Account['schemas']['WebhookReply'];
export type Delivery = Account['schemas']['DeliveryReply'];

type Event = Endpoint['events'][number];

/** The compiler asks for every event that the documents name. */
const KNOWN: Readonly<Record<Event, true>> = {
  'batch.completed': true,
  'batch.failed': true,
  'batch.cancelled': true,
  'list.changed': true,
  'verification.corrected': true,
  'credits.low': true,
  'monitor.changed': true,
  'monitor.stalled': true,
  'blacklist.listed': true,
  'blacklist.delisted': true,
  'placement.completed': true,
  'placement.expired': true,
  'dmarc.source_appeared': true,
};

export const EVENTS = Object.keys(KNOWN) as readonly Event[];

const DISABLED: Readonly<Record<string, string>> = {
  owner: 'you switched it off',
  gone: 'it answered 410 Gone',
  failing: 'it has failed for days',
};

/** Why nothing is sent there; null while it is. */
export const disabledBecause = ({ enabled, disabled_reason: reason }: Endpoint): string | null =>
  enabled ? null : (DISABLED[reason ?? ''] ?? 'it is switched off');

export function EndpointState({ of }: { readonly of: Endpoint }) {
  if (!of.enabled) return <span class="badge invalid">off: {disabledBecause(of)}</span>;
  if (of.failing_since !== null) return <span class="badge risky">failing</span>;
  if (of.confirmed_at === null) return <span class="badge unknown">not confirmed</span>;
  return <span class="badge valid">on</span>;
}

const STATES = { succeeded: 'valid', failed: 'invalid', pending: 'unknown' } as const;

export function DeliveryState({ state }: { readonly state: keyof typeof STATES }) {
  return <span class={`badge ${STATES[state]}`}>{state}</span>;
}

/** Where the account is told of what happens. */
export function WebhooksScreen() {
  const isAdding = useSignal(false);
  return (
    <>
      <div class="title-line">
        <h1>Webhooks</h1>
        <button type="button" class="primary" onClick={() => (isAdding.value = true)}>
          Add an endpoint
        </button>
      </div>
      <p>
        An endpoint is an address of yours that gets a signed request when a batch ends, credits run low or a monitor
        finds something. How to verify the signature: <a href="/docs/guides/webhooks#verifying">the guide</a>.
      </p>
      <Listing
        label="Endpoints"
        load={(page) => api.get('/api/v1/webhooks', page())}
        rows="webhooks"
        empty="No endpoint yet"
        columns={{
          URL: (one) => <a href={`/console/webhooks/${one.id}`}>{one.url}</a>,
          State: (one) => <EndpointState of={one} />,
          Events: (one) => (one.events.length === EVENTS.length ? 'all' : one.events.join(', ')),
          'Last success': (one) => <Time at={one.last_success_at} />,
        }}
      />
      {isAdding.value && <AddEndpoint onClose={() => (isAdding.value = false)} />}
    </>
  );
}

function AddEndpoint({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const url = useSignal('https://');
  const events = useSignal<readonly Endpoint['events'][number][]>(EVENTS);
  const made = useSignal<{ id: string; secret: string | null } | null>(null);
  const add = async () => {
    made.value = await api.post('/api/v1/webhooks', { body: { url: url.value.trim(), events: [...events.value] } });
  };
  if (made.value !== null) {
    const { id, secret } = made.value;
    return (
      <Dialog title="The endpoint's secret" onClose={() => route(`/console/webhooks/${id}`)}>
        <p>It is shown now and never again. Keep it where your verifier finds it.</p>
        <Code label="Secret" text={secret ?? ''} />
        <button type="button" class="primary" onClick={() => route(`/console/webhooks/${id}`)}>
          I have kept it
        </button>
      </Dialog>
    );
  }
  return (
    <Dialog title="Add an endpoint" onClose={onClose}>
      <ActionForm action="Add" onAct={add} disabled={events.value.length === 0}>
        <TextField
          label="URL"
          type="url"
          value={url}
          required
          maxLength={2048}
          hint="It is asked at once with a webhook.test. Bodies carry results only after it has answered with 2xx."
        />
        <EventChoice chosen={events.value} onChange={(chosen) => (events.value = chosen)} />
      </ActionForm>
    </Dialog>
  );
}

interface EventChoiceProps {
  readonly chosen: readonly Endpoint['events'][number][];
  readonly onChange: (chosen: readonly Endpoint['events'][number][]) => void;
}

export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  return (
    <fieldset>
      <legend>Events</legend>
      {EVENTS.map((event) => (
        <CheckField
          key={event}
          label={event}
          value={{ value: chosen.includes(event) }}
          onPick={(isChecked) => onChange(EVENTS.filter((one) => (one === event ? isChecked : chosen.includes(one))))}
        />
      ))}
    </fieldset>
  );
}
