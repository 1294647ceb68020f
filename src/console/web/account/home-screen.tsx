import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Attention, type Concern, type Watch } from '../parts/attention.js';
import { Section, Table, useLoad, usePolling, WhenLoaded } from '../parts/listing.js';
import { count, counted, DAY_MS, Time } from '../parts/values.js';
import { type Account, api } from '../session/api.js';
import { may, session } from '../session/session.js';
import { type Batch, moves, stateName } from '../verify/batch.js';
import { lastingOf } from './lasting.js';

const MOVING_MS = 2_000;
const QUIET_MS = 60_000;

/** What goes on in the account, and what needs a person. */
export function HomeScreen() {
  const watches = WATCHES.filter(([permission]) => may(permission)).map(([, watch]) => watch);
  return (
    <>
      <h1>Home</h1>
      <FirstSteps />
      {watches.length > 0 ? (
        <Attention of={watches} />
      ) : (
        <p>Your key may not read webhooks, monitors, keys or credits, so nothing is known of them here.</p>
      )}
      {may('credits') && <Balance />}
      {may('batches') && <RecentLists />}
    </>
  );
}

const PAGE_SIZE = 100;
const EXPIRY_WARNING_MS = 14 * DAY_MS;

type Endpoint = Account['schemas']['WebhookReply'];
type Monitor = Account['schemas']['MonitorReply'];
type Key = Account['schemas']['KeyReply'];

/** Each with the permission that it takes. */
const WATCHES: readonly (readonly [permission: string, watch: Watch])[] = [
  [
    'webhooks',
    {
      name: 'webhook endpoints',
      find: async (signal) => {
        const page = await api.get('/api/v1/webhooks', { query: { limit: PAGE_SIZE }, signal });
        return [...page.webhooks.flatMap(ofEndpoint), ...beyond(page, 'webhook endpoints', '/console/webhooks')];
      },
    },
  ],
  [
    'deliverability',
    {
      name: 'monitors',
      find: async (signal) => {
        const page = await api.get('/api/v1/monitors', { query: { limit: PAGE_SIZE }, signal });
        return [...page.monitors.flatMap(ofMonitor), ...beyond(page, 'monitors', '/console/monitors')];
      },
    },
  ],
  [
    'keys',
    {
      name: 'keys',
      find: async (signal) => {
        const page = await api.get('/api/v1/keys', { query: { limit: PAGE_SIZE }, signal });
        return [...page.keys.flatMap(ofKey), ...beyond(page, 'keys', '/console/keys')];
      },
    },
  ],
  [
    'credits',
    {
      name: 'credits',
      find: async (signal) => {
        const { low, remaining } = await api.get('/api/v1/credits', { signal });
        const text = `${counted(remaining, 'credit')} left. Mailsonde refuses work that costs more.`;
        return low ? [{ title: 'The balance is low', href: '/console/credits', severity: 'warning', text }] : [];
      },
    },
  ],
];

/** Only the first page is read, and nothing is said of the others. */
function beyond({ next_cursor: next }: { readonly next_cursor: string | null }, name: string, href: string): Concern[] {
  if (next === null) return [];
  const text = `Only the first ${PAGE_SIZE} were checked here.`;
  return [{ title: `More ${name}`, href, severity: 'unknown', text }];
}

/** Why Mailsonde has switched an endpoint off; what its owner has switched off needs nobody. */
const SWITCHED_OFF: Readonly<Record<string, string>> = {
  gone: 'it answered 410 Gone',
  failing: 'deliveries failed for days',
};

function ofEndpoint({ id, url, enabled, disabled_reason: reason, failing_since: since }: Endpoint): Concern[] {
  const concern = { title: url, href: `/console/webhooks/${id}` };
  const why = SWITCHED_OFF[reason ?? ''];
  if (!enabled && why !== undefined)
    return [{ ...concern, severity: 'critical', text: `This endpoint is off because ${why}. It receives no events.` }];
  if (!enabled || since === null) return [];
  const text = (
    <>
      Deliveries have failed since <Time at={since} />. Mailsonde retries them for days, then switches the endpoint off.
    </>
  );
  return [{ ...concern, severity: 'warning', text }];
}

function ofMonitor({ id, name, target, state, open, paused_by: by, unanswered_since: since }: Monitor): Concern[] {
  const concern = { title: name ?? target, href: `/console/monitors/${id}` };
  if (by !== null && by !== 'owner')
    return [{ ...concern, severity: 'warning', text: 'This monitor is paused, and not by you. Open it to see why.' }];
  if (state === 'critical' || state === 'warning') {
    const findings = [
      ...(open.critical > 0 ? [counted(open.critical, 'critical finding')] : []),
      ...(open.warning > 0 ? [counted(open.warning, 'warning')] : []),
    ];
    return [{ ...concern, severity: state, text: `Open: ${findings.join(', ')}.` }];
  }
  if (state !== 'unknown') return [];
  const text = (
    <>
      The last check got no answer
      {since !== null && (
        <>
          , as all since <Time at={since} />
        </>
      )}
      , so the status is unknown, not healthy.
    </>
  );
  return [{ ...concern, severity: 'unknown', text }];
}

function ofKey({ name, last_four: end, status, expires_at: expires }: Key): Concern[] {
  if (status !== 'active' || expires === null || Date.parse(expires) - Date.now() > EXPIRY_WARNING_MS) return [];
  const text = (
    <>
      This key expires <Time at={expires} />. Replace it before then in every program that uses it.
    </>
  );
  return [{ title: `Key ${name ?? ''} …${end}`, href: '/console/keys', severity: 'warning', text }];
}

/** What is left, and for how long at the pace of before. */
function Balance() {
  const loaded = useLoad(async (signal) => {
    const [credits, usage] = await Promise.all([
      api.get('/api/v1/credits', { signal }),
      api.get('/api/v1/usage', { signal }),
    ]);
    return { credits, usage };
  });
  usePolling(loaded, QUIET_MS);
  return (
    <Section id="balance" title="Balance">
      <WhenLoaded of={loaded}>
        {({ credits: { remaining, reserved }, usage }) => (
          <p>
            <a href="/console/credits">
              <strong>{counted(remaining, 'credit')}</strong>
            </a>{' '}
            left{reserved > 0 && `, and ${count(reserved)} reserved for work in progress`}.{' '}
            {session.value?.simulated === true ? 'Test keys use none of them.' : lastingOf(remaining, usage)}
          </p>
        )}
      </WhenLoaded>
    </Section>
  );
}

const nameOf = ({ id, name }: Batch): string => name ?? `List ${id}`;

function RecentLists() {
  const loaded = useLoad((signal) => api.get('/api/v1/verify/batch', { query: { limit: 5 }, signal }));
  const isMoving = loaded.data.value?.batches.some(({ status }) => moves(status)) === true;
  usePolling(loaded, isMoving ? MOVING_MS : QUIET_MS);
  return (
    <Section id="recent" title="Recent lists">
      <WhenLoaded of={loaded}>
        {({ batches }) => (
          <Table
            label="Recent lists"
            rows={batches}
            empty="No list yet"
            emptyHint="Choose an Excel or CSV file, and see what it costs before it starts."
            columns={{
              Name: (batch) => <a href={`/console/batches/${batch.id}`}>{nameOf(batch)}</a>,
              State: (batch) => (
                <>
                  {stateName(batch)}
                  {moves(batch.status) && (
                    <progress aria-label={`Progress of ${nameOf(batch)}`} max={1} value={batch.progress} />
                  )}
                </>
              ),
              Rows: ({ total_emails: total }) => total,
              Sent: ({ created_at: at }) => <Time at={at} />,
            }}
          />
        )}
      </WhenLoaded>
      <p class="actions">
        <a class="button" href="/console/upload">
          New list
        </a>
        <a href="/console/batches">All lists</a>
      </p>
    </Section>
  );
}

/** Set in the browser once a person has hidden the first steps; it names nobody. */
const HIDDEN = 'mailsonde.first-steps-hidden';
const STEPS_MS = 10_000;

interface Step {
  readonly isDone: boolean;
  readonly what: ComponentChildren;
}

/** For newcomers: gone when all is done, or when they do not want it. */
function FirstSteps() {
  const isHidden = useSignal(localStorage.getItem(HIDDEN) !== null);
  const loaded = useLoad(async (signal) => (isHidden.value ? [] : stepsOf(signal)));
  const steps = loaded.data.value;
  const isOver = isHidden.value || steps?.every(({ isDone }) => isDone) === true;
  usePolling(loaded, isOver ? null : STEPS_MS);
  // Whoever needs none of it sees no card come and go.
  if (isOver || (steps === null && loaded.failure.value === null)) return null;
  const hide = () => {
    localStorage.setItem(HIDDEN, 'true');
    isHidden.value = true;
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <Section id="steps" title="First steps" class="card">
      <WhenLoaded of={loaded}>
        {(current) => (
          <>
            <ul class="plain">
              {current.map(({ isDone, what }, at) => (
                <li key={at}>
                  <span class={`badge ${isDone ? 'valid' : 'unknown'}`}>{isDone ? 'done' : 'to do'}</span> {what}
                </li>
              ))}
            </ul>
            <button type="button" class="small" onClick={hide}>
              Hide these steps
            </button>
          </>
        )}
      </WhenLoaded>
    </Section>
  );
}

/** What a newcomer does first, of that which the key may do and may see done. */
async function stepsOf(signal: AbortSignal): Promise<Step[]> {
  const ask = <T,>(permission: string, load: () => Promise<T>) => (may(permission) ? load() : null);
  const from = new Date(Date.now() - 365 * DAY_MS).toISOString().slice(0, 10);
  const query = { limit: 2 };
  const [used, keys, endpoints, monitors] = await Promise.all([
    ask('credits', () => api.get('/api/v1/usage', { query: { by: 'endpoint', from }, signal })),
    ask('keys', () => api.get('/api/v1/keys', { query, signal })),
    ask('webhooks', () => api.get('/api/v1/webhooks', { query, signal })),
    ask('deliverability', () => api.get('/api/v1/monitors', { query, signal })),
  ]);
  const hasUsed = (endpoint: string) => used?.usage.some(({ value }) => value === endpoint) === true;
  const own = session.value?.key.id;
  const steps: readonly (false | Step)[] = [
    used !== null &&
      may('verify') && { isDone: hasUsed('verify'), what: <a href="/console/check">Check an address</a> },
    used !== null && may('batches') && { isDone: hasUsed('batch'), what: <a href="/console/upload">Check a list</a> },
    keys !== null && {
      isDone: keys.keys.some(({ id }) => id !== own),
      what: (
        <>
          <a href="/console/keys">Make a key</a> for your program, and <a href="/console/connect">connect it</a>
        </>
      ),
    },
    endpoints !== null &&
      monitors !== null && {
        isDone: endpoints.webhooks.length + monitors.monitors.length > 0,
        what: (
          <>
            Get notified: <a href="/console/webhooks">add a webhook endpoint</a>, or{' '}
            <a href="/console/monitors">watch a domain</a>
          </>
        ),
      },
  ];
  return steps.filter((step) => step !== false);
}
