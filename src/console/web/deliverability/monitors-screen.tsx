import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { StateBadge } from '../parts/badge.js';
import { Dialog } from '../parts/dialog.js';
import { SelectField, TextField } from '../parts/field.js';
import { count } from '../parts/figures.js';
import { Empty, PagedTable } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { api, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';
import { every, type Monitor, SettingsForm, titleOf } from './monitor.js';

type Filter = '' | Monitor['state'];

const STATES = ['critical', 'warning', 'unknown', 'ok', 'pending', 'paused'] as const;
const DAY_MINUTES = 1_440;

/** Domains and addresses that are looked at again and again. */
export function MonitorsScreen() {
  const { query } = useLocation();
  const target = query['domain'] ?? query['address'];
  const isAdding = useSignal(target !== undefined);
  const state = useSignal<Filter>('');
  const looked = useSignal(0);
  return (
    <>
      <div class="title-line">
        <h1>Monitors</h1>
        <button type="button" class="primary" onClick={() => (isAdding.value = true)}>
          New monitor
        </button>
      </div>
      <p>
        A monitor looks at a domain or an address in turn, and tells your <a href={linkTo('/webhooks')}>webhooks</a>{' '}
        when something breaks and when it is well again: once, and only what was seen twice. What your plan includes
        costs no credits. That of a domain also receives its DMARC and TLS reports, and counts them for you.
      </p>
      <div class="title-line">
        <SelectField label="Show" value={state} options={[['', 'all'], ...STATES.map((one) => [one, one] as const)]} />
        <button type="button" onClick={() => looked.value++}>
          Refresh
        </button>
      </div>
      <PagedTable
        label="Monitors"
        on={[state.value, looked.value]}
        load={(cursor, signal) =>
          take(
            api.GET('/api/v1/monitors', {
              params: { query: { cursor, ...(state.value !== '' && { state: state.value }) } },
              signal,
            }),
          )
        }
        rows={(page) => page.monitors}
        keyOf={({ id }) => id}
        empty={
          <Empty title={state.value === '' ? 'Nothing is watched yet' : 'No monitor is in this state'}>
            <p>A domain whose records change by mistake is noticed here before its mail is missed.</p>
          </Empty>
        }
        columns={[
          {
            name: 'What is watched',
            cell: (one) => (
              <span class="host">
                <a href={linkTo(`/monitors/${one.id}`)}>{titleOf(one)}</a>
                {one.name !== null && <span class="hint mono below-name">{one.target}</span>}
              </span>
            ),
          },
          { name: 'State', cell: (one) => <StateBadge state={one.state} /> },
          { name: 'Critical', cell: ({ open }) => count(open.critical), isNumber: true },
          { name: 'Warnings', cell: ({ open }) => count(open.warning), isNumber: true },
          { name: 'Looked at', cell: (one) => <span class="nowrap">{every(one.interval_minutes)}</span> },
          { name: 'Last', cell: (one) => <Time at={one.last_run_at} none="not yet" /> },
        ]}
      />
      {isAdding.value && (
        <NewMonitor
          isAddress={query['address'] !== undefined}
          target={target ?? ''}
          onClose={() => (isAdding.value = false)}
        />
      )}
    </>
  );
}

interface NewMonitorProps {
  readonly isAddress: boolean;
  readonly target: string;
  readonly onClose: () => void;
}

function NewMonitor({ isAddress, target: given, onClose }: NewMonitorProps) {
  const { route } = useLocation();
  const kind = useSignal<Monitor['kind']>(isAddress ? 'address' : 'domain');
  const target = useSignal(given);
  return (
    <Dialog title="New monitor" onClose={onClose}>
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
          const { id } = await take(api.POST('/api/v1/monitors', { body }));
          route(linkTo(`/monitors/${id}`));
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
      </SettingsForm>
    </Dialog>
  );
}
