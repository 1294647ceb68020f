import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import { ActionForm, TextAreaField } from '../parts/form.js';
import { announce } from '../parts/announcer.js';
import { Listing, Section, Table, Unloaded, useLoad, WhenLoaded } from '../parts/listing.js';
import { wordsIn } from '../parts/pasted-words.js';
import { counted, StateBadge, Time } from '../parts/values.js';
import { api } from '../session/api.js';
import { TestWords } from '../session/test-words.js';
import { type ListCheck, ListResults, whyNot } from './list-results.js';

const KINDS = { ipv4: 'IPv4', ipv6: 'IPv6', domain: 'domains' } as const;

/** Of the simulated world: every list has the first, none the others. */
const EXAMPLES = '127.0.0.2\n198.51.100.7\nlisted.example.com\nexample.com';

/** Whether block lists have addresses or domains, and which lists there are. */
export function BlacklistsScreen() {
  const { query } = useLocation();
  const targets = useSignal(query['target'] ?? '');
  const shown = useSignal<ListCheck | null>(null);
  const check = async () => {
    shown.value = await api.post('/api/v1/blacklists/check', { body: { targets: wordsIn(targets.value) } });
    announce(shown.value.results.map(({ target, status }) => `${target}: ${status}`).join(', '));
  };
  return (
    <>
      <h1>Block lists</h1>
      <p>
        Asks DNS block lists about addresses and domains. A listing is believed only when it is there twice, while the
        list proves that it works. Each target that a list answers for costs one credit.
      </p>
      <div class="card">
        <ActionForm action="Check" onAct={check} disabled={targets.value.trim() === ''}>
          <TextAreaField
            label="IP addresses and domains, one a line"
            value={targets}
            placeholder={'198.51.100.25\nexample.com'}
          />
          <TestWords words={['Examples']} onPick={() => (targets.value = EXAMPLES)} />
        </ActionForm>
      </div>
      {shown.value !== null && <ListResults of={shown.value} />}
      <History on={shown.value?.id ?? 0} />
      <Catalogue />
    </>
  );
}

function History({ on }: { readonly on: number }) {
  return (
    <Section id="history" title="Checks that are kept">
      <Listing
        label="Checks that are kept"
        on={[on]}
        load={(page) => api.get('/api/v1/blacklists/checks', page())}
        rows="checks"
        empty="Nothing was checked yet"
        emptyHint="Begin with the address that your mail server sends from: its check stays here for 30 days."
        columns={{
          Checked: ({ id, checked_at: at }) => (
            <a href={`/console/blacklists/${id}`}>
              <Time at={at} />
            </a>
          ),
          Targets: ({ targets }) =>
            targets.map(({ target, status }) => (
              <div key={target}>
                <span class="mono wrap">{target}</span> <StateBadge state={status} />
              </div>
            )),
        }}
      />
    </Section>
  );
}

/** Every list that is known, and whether it works when it is asked from here. */
function Catalogue() {
  const loaded = useLoad((signal) => api.get('/api/v1/blacklists', { signal }));
  return (
    <Section id="lists" title="The lists">
      <WhenLoaded of={loaded}>
        {({ blacklists }) => (
          <details>
            <summary>All {counted(blacklists.length, 'list')}: what each knows, and whether it works</summary>
            <Table
              label="The lists"
              rows={blacklists}
              columns={{
                List: ({ id, name }) => (
                  <>
                    {name} <span class="hint mono">{id}</span>
                  </>
                ),
                State: ({ state, why }) => (
                  <>
                    <StateBadge state={state} /> <span class="hint">{whyNot(why)}</span>
                  </>
                ),
                'Harm at worst': ({ severity }) => severity,
                Knows: ({ kinds }) => kinds.map((kind) => KINDS[kind]).join(', '),
                Tested: ({ tested_at: at }) => <Time at={at} />,
                Terms: ({ terms, terms_url: url }) =>
                  url === null ? (
                    <span class="long">{terms}</span>
                  ) : (
                    <a class="long" href={url} target="_blank" rel="noreferrer">
                      {terms}
                    </a>
                  ),
              }}
            />
          </details>
        )}
      </WhenLoaded>
    </Section>
  );
}

/** A check of block lists as it was answered. */
export function ListCheckScreen() {
  const id = Number(useRoute().params['id']);
  const loaded = useLoad((signal) => api.get('/api/v1/blacklists/checks/{id}', { path: { id }, signal }), [id]);
  const { data, failure } = loaded;
  if (data.value === null || failure.value !== null)
    return <Unloaded of={loaded} title="Block lists" to="/console/blacklists" toTitle="All checks of block lists" />;
  const targets = data.value.results.map(({ target }) => target).join('\n');
  return (
    <>
      <div class="title-line">
        <h1>Block lists</h1>
        <a class="button" href={`/console/blacklists?target=${encodeURIComponent(targets)}`}>
          Check them again
        </a>
      </div>
      <ListResults of={data.value} />
    </>
  );
}
