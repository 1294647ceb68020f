import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';
import { duration, StateBadge, Time } from '../parts/values.js';
import { Opener } from '../parts/dialog.js';
import { ActionForm, CheckField, SelectField, TextField } from '../parts/form.js';
import { Listing } from '../parts/listing.js';
import { type Account, api } from '../session/api.js';
import { wordsIn } from '../parts/pasted-words.js';
import { TestWords } from '../session/test-words.js';

type Filter = '' | Monitor['state'];

const STATES = ['critical', 'warning', 'unknown', 'ok', 'pending', 'paused'] as const;
const DAY_MINUTES = 1_440;
/** Domains of the simulated world that change from run to run. */
const EXAMPLES = ['flapping', 'fixed-later', 'moved-later', 'listed-later', 'silent'] as const;

/** Domains and addresses that are looked at again and again. */
export function MonitorsScreen() {
  const { query } = useLocation();
  const target = query['domain'] ?? query['address'];
  const state = useSignal<Filter>('');
  const looked = useSignal(0);
  return (
    <>
      <div class="title-line">
        <h1>Monitors</h1>
        <Opener action="New monitor" class="primary" isOpen={target !== undefined}>
          {() => <NewMonitor isAddress={query['address'] !== undefined} target={target ?? ''} />}
        </Opener>
      </div>
      <p>
        A monitor looks at a domain or an address in turn, and tells your <a href="/console/webhooks">webhooks</a> when
        something breaks and when it is well again: once, and only what was seen twice. What your plan includes costs no
        credits. That of a domain also receives its DMARC and TLS reports, and counts them for you.
      </p>
      <div class="title-line">
        <SelectField label="Show" value={state} options={[['', 'all'], ...STATES]} />
        <button type="button" onClick={() => looked.value++}>
          Refresh
        </button>
      </div>
      <Listing
        label="Monitors"
        on={[state.value, looked.value]}
        load={(page) => api.get('/api/v1/monitors', page({ state: state.value || undefined }))}
        rows="monitors"
        empty={state.value === '' ? 'Nothing is watched yet' : 'No monitor is in this state'}
        emptyHint="A domain whose records change by mistake is noticed here before its mail is missed."
        columns={{
          'What is watched': (one) => (
            <span class="host">
              <a href={`/console/monitors/${one.id}`}>{titleOf(one)}</a>
              {one.name !== null && <span class="hint mono below-name">{one.target}</span>}
            </span>
          ),
          State: (one) => <StateBadge state={one.state} />,
          Critical: ({ open }) => open.critical,
          Warnings: ({ open }) => open.warning,
          'Looked at': (one) => <span class="nowrap">{every(one.interval_minutes)}</span>,
          Last: (one) => <Time at={one.last_run_at} none="not yet" />,
        }}
      />
    </>
  );
}

function NewMonitor({ isAddress, target: given }: { readonly isAddress: boolean; readonly target: string }) {
  const { route } = useLocation();
  const kind = useSignal<Monitor['kind']>(isAddress ? 'address' : 'domain');
  const target = useSignal(given);
  return (
    <SettingsForm
      of={{
        name: null,
        interval_minutes: DAY_MINUTES,
        alert_from: 'warning',
        notify_first: false,
        dkim_selectors: [],
        sending_addresses: [],
      }}
      isDomain={kind.value === 'domain'}
      action="Watch it"
      onSave={async (settings) => {
        const { dkim_selectors, sending_addresses, name, ...rest } = settings;
        const body = {
          kind: kind.value,
          target: target.value.trim(),
          ...rest,
          ...(name !== null && { name }),
          ...(kind.value === 'domain' && { dkim_selectors, sending_addresses }),
        };
        const { id } = await api.post('/api/v1/monitors', { body });
        route(`/console/monitors/${id}`);
      }}
    >
      <SelectField
        label="Watch"
        value={kind}
        options={[
          ['domain', 'A domain'],
          ['address', 'An IP address'],
        ]}
        hint={
          kind.value === 'domain'
            ? 'What it publishes, and whether block lists have it.'
            : 'Whether block lists have it.'
        }
      />
      <TextField
        label={kind.value === 'domain' ? 'Domain' : 'IP address'}
        value={target}
        required
        maxLength={1_000}
        placeholder={kind.value === 'domain' ? 'example.com' : '198.51.100.25'}
      />
      {kind.value === 'domain' && (
        <TestWords words={EXAMPLES} onPick={(label) => (target.value = `${label}.example.com`)} />
      )}
    </SettingsForm>
  );
}

export type Monitor = Account['schemas']['MonitorReply'];
type Settings = Pick<
  Monitor,
  'name' | 'interval_minutes' | 'dkim_selectors' | 'sending_addresses' | 'alert_from' | 'notify_first'
>;

export const titleOf = ({ name, target }: Pick<Monitor, 'name' | 'target'>): string => name ?? target;
const SINGLE: Readonly<Record<number, string>> = { 60: 'every hour', 1_440: 'every day', 10_080: 'every week' };
export const every = (minutes: number): string => SINGLE[minutes] ?? `every ${duration(minutes * 60)}`;

const INTERVALS = [15, 30, 60, 180, 360, 720, 1_440, 10_080] as const;

const ALERTS: readonly (readonly [Monitor['alert_from'], string])[] = [
  ['warning', 'Warnings and worse'],
  ['critical', 'Only what is critical'],
  ['info', 'Everything'],
];

interface SettingsFormProps {
  readonly of: Settings;
  readonly isDomain: boolean;
  readonly action: string;
  readonly onSave: (settings: Settings) => Promise<void>;
  /** What stands above, such as the target of a new one. */
  readonly children?: ComponentChildren;
}

/** What an owner may choose of a monitor. */
export function SettingsForm({ of, isDomain, action, onSave, children }: SettingsFormProps) {
  const name = useSignal(of.name ?? '');
  const interval = useSignal(String(of.interval_minutes));
  const alertFrom = useSignal(of.alert_from);
  const notifyFirst = useSignal(of.notify_first);
  const selectors = useSignal(of.dkim_selectors.join(' '));
  const senders = useSignal(of.sending_addresses.join(' '));
  const save = () =>
    onSave({
      name: name.value.trim() === '' ? null : name.value.trim(),
      interval_minutes: Number(interval.value),
      alert_from: alertFrom.value,
      notify_first: notifyFirst.value,
      dkim_selectors: isDomain ? wordsIn(selectors.value) : [],
      sending_addresses: isDomain ? wordsIn(senders.value) : [],
    });
  const intervals = [...new Set([...INTERVALS, of.interval_minutes])].toSorted((a, b) => a - b);
  return (
    <ActionForm action={action} onAct={save}>
      {children}
      <TextField label="Name" value={name} maxLength={200} hint="For you; without one its target stands for it." />
      <div class="row">
        <SelectField
          label="Look at it"
          value={interval}
          options={intervals.map((minutes) => [String(minutes), every(minutes)] as const)}
        />
        <SelectField label="Tell me of" value={alertFrom} options={ALERTS} />
      </div>
      {isDomain && (
        <div class="row">
          <TextField label="DKIM selectors" value={selectors} placeholder="s1, google" />
          <TextField label="Sending addresses" value={senders} placeholder="198.51.100.25" />
        </div>
      )}
      <CheckField label="Tell me what the first look finds, too" value={notifyFirst} />
    </ActionForm>
  );
}
