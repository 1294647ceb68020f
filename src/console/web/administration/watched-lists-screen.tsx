import { useSignal } from '@preact/signals';
import { Switch } from '../parts/dialog.js';
import { ActionButton, SelectField } from '../parts/form.js';
import { counted, StateBadge, Time } from '../parts/values.js';
import { Empty, type Part, ReloadTitle, Table, useLoad, WhenLoaded } from '../parts/listing.js';
import { type Admin, adminApi } from '../session/api.js';

type List = Admin['schemas']['WatchedListReply'];
type Shown = 'asked' | 'sick' | 'off' | 'all';

const isSick = ({ health }: List): boolean => health.some(({ state }) => state !== 'healthy');

const PARTS: Readonly<Record<Shown, (list: List) => boolean>> = {
  asked: ({ configured, off }) => configured && !off,
  sick: (list) => list.configured && !list.off && isSick(list),
  off: ({ off }) => off,
  all: () => true,
};

/** Block lists: whether they work when they are asked from here, and which of them nobody may ask. */
export function WatchedListsScreen() {
  const shown = useSignal<Shown>('asked');
  const loaded = useLoad((signal) => adminApi.get('/admin/v1/blacklists', { signal }));
  return (
    <>
      <ReloadTitle title="Block lists" of={loaded} />
      <p>
        A list that does not know its own test points is asked about nobody, so that no customer is alarmed by it.{' '}
        <a href="/docs/guides/deliverability#which-lists-are-asked">Which lists are asked</a>
      </p>
      <WhenLoaded of={loaded}>
        {({ blacklists: lists }) => (
          <>
            <div class="row">
              <SelectField
                label="Show"
                value={shown}
                options={[
                  ['asked', 'those that may be asked'],
                  ['sick', 'those that do not work'],
                  ['off', 'those that are turned off'],
                  'all',
                ]}
              />
            </div>
            <Lists of={lists.filter(PARTS[shown.value])} known={lists.length} onChanged={loaded.reload} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function Lists({ of: lists, known, onChanged }: Part<readonly List[]> & { readonly known: number }) {
  return (
    <Table<List>
      label="Block lists"
      rows={lists}
      empty={
        <Empty title="None">
          <p>{counted(known, 'list')} are known; this part of them is empty.</p>
        </Empty>
      }
      columns={{
        List: ({ id, name, severity }) => (
          <span class="host">
            {name}
            <span class="hint mono below-name">{id}</span>
            <span class="hint below-name">{severity} at worst</span>
          </span>
        ),
        State: (list) => <Health of={list} />,
        'Changes in 90 days': (list) => <Changes of={list} />,
        '': (list) => (
          <div class="actions tight">
            {list.configured && <TestList of={list} onChanged={onChanged} />}
            {(list.configured || list.off) && <TurnList of={list} onChanged={onChanged} />}
          </div>
        ),
      }}
    />
  );
}

const whyOf = (why: string | null): string => (why === null ? '' : `: ${why.replaceAll('_', ' ')}`);
const KINDS: Readonly<Record<string, string>> = { ipv4: 'IPv4', ipv6: 'IPv6', domain: 'domains' };

function Health({ of: { off, off_by: by, off_since: since, reason, configured, health } }: { readonly of: List }) {
  if (off)
    return (
      <>
        <span class="badge invalid">off</span>
        <span class="hint below-name wrap">
          {reason} ({by}, <Time at={since} />)
        </span>
      </>
    );
  if (!configured) return <span class="hint">not configured: it needs a key or a registration</span>;
  if (health.length === 0) return <span class="hint">not tested yet</span>;
  return (
    <>
      {health.map(({ kind, state, why, tested_at: at }) => (
        <div key={kind}>
          <StateBadge state={state} />{' '}
          <span class="hint">
            {KINDS[kind] ?? kind}
            {whyOf(why)}, tested <Time at={at} />
          </span>
        </div>
      ))}
    </>
  );
}

function Changes({ of: { history } }: { readonly of: List }) {
  if (history.length === 0) return <span class="hint">none</span>;
  return (
    <details>
      <summary>{counted(history.length, 'change')}</summary>
      <ul class="plain">
        {history.map(({ kind, state, why, at }) => (
          <li key={`${kind} ${at}`}>
            <Time at={at} />: {KINDS[kind] ?? kind} {state}
            {whyOf(why)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function TestList({ of: { id, name }, onChanged }: Part<List>) {
  const test = async () => {
    const tested = await adminApi.post('/admin/v1/blacklists/{id}/test', { path: { id } });
    return `${name} ${isSick(tested) ? 'does not work' : 'works'}.`;
  };
  return (
    <ActionButton class="small" onAct={test} onDone={onChanged}>
      Test now
    </ActionButton>
  );
}

function TurnList({ of: { id, name, off }, onChanged }: Part<List>) {
  const path = { id };
  return (
    <Switch
      isOff={off}
      on={{
        action: 'Turn on',
        onAct: () => adminApi.post('/admin/v1/blacklists/{id}/turn-on', { path }),
        said: `${name} is asked again.`,
      }}
      off={{
        action: 'Turn off',
        title: `Turn ${name} off`,
        class: 'small danger',
        onAct: (reason) => adminApi.post('/admin/v1/blacklists/{id}/turn-off', { path, body: { reason } }),
        said: `${name} is asked no more.`,
        children: <p>No process asks it any more. Customers see that it is turned off, and not your reason.</p>,
      }}
      onDone={onChanged}
    />
  );
}
