import { useSignal } from '@preact/signals';
import { ActionButton, ActionForm } from '../../parts/action.js';
import { TextAreaField, TextField } from '../../parts/field.js';
import { count, counted, percent } from '../../parts/figures.js';
import { Empty, PagedTable } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import { type Account, api, take } from '../../shell/api.js';

type PeopleBatch = Account['schemas']['PeopleBatchReply'];
type Held = Account['schemas']['PeopleBatchTakenReply'];

interface Named {
  readonly full_name: string;
  readonly domain: string;
}

/** A line is a name and a domain, with a comma, a semicolon or a tab between them. */
export function peopleOf(text: string): { people: Named[]; unread: number } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const people = lines.flatMap((line) => {
    const [, name = '', domain = ''] = /^(.+?)\s*[,;\t]\s*([^,;\t]+?)\s*$/.exec(line) ?? [];
    return name === '' || !domain.includes('.') ? [] : [{ full_name: name.trim(), domain }];
  });
  return { people, unread: lines.length - people.length };
}

/** Many people at once: what it would cost first, and then the work. */
export function PeopleSection() {
  const text = useSignal('');
  const name = useSignal('');
  const held = useSignal<Held | null>(null);
  const changed = useSignal(0);
  const { people, unread } = peopleOf(text.value);
  const hold = async () => {
    const body = { people, name: name.value.trim() || null };
    held.value = await take(api.POST('/api/v1/finder/batch', { params: { query: { hold: true } }, body }));
    changed.value++;
  };
  const done = () => {
    held.value = null;
    text.value = '';
    changed.value++;
  };
  return (
    <section aria-labelledby="people">
      <h2 id="people">Many people</h2>
      <div class="card">
        {held.value === null ? (
          <ActionForm action="What does it cost?" onAct={hold} disabled={people.length === 0}>
            <TextAreaField
              label="People, one a line: name, domain"
              value={text}
              rows={6}
              placeholder={'Jane Doe, example.com\nJohn Smith, example.org'}
              hint={
                unread > 0
                  ? `${counted(people.length, 'person', 'people')}; ${counted(unread, 'line')} could not be read.`
                  : counted(people.length, 'person', 'people')
              }
            />
            <TextField label="Name of the list" value={name} maxLength={200} />
          </ActionForm>
        ) : (
          <Quote of={held.value} onEnd={done} />
        )}
      </div>
      <PeopleBatches on={changed.value} />
    </section>
  );
}

function Quote({ of: { id, quote }, onEnd }: { readonly of: Held; readonly onEnd: () => void }) {
  const path = { id };
  const start = async () => {
    const body = { max_credits: quote?.max_credits ?? null };
    await take(api.POST('/api/v1/finder/batch/{id}/start', { params: { path }, body }));
    onEnd();
  };
  const drop = async () => {
    await take(api.DELETE('/api/v1/finder/batch/{id}', { params: { path } }));
    onEnd();
  };
  return (
    <>
      {quote !== undefined && (
        <p>
          {counted(quote.unique_people, 'person', 'people')} ({counted(quote.duplicates, 'duplicate')} free): at most{' '}
          <strong>{counted(quote.max_credits, 'credit')}</strong>, and only for those who are found. Then{' '}
          {count(quote.balance_after)} would be left.
        </p>
      )}
      <div class="actions">
        <ActionButton class="primary" onAct={start}>
          Start
        </ActionButton>
        <ActionButton onAct={drop}>Do not</ActionButton>
      </div>
    </>
  );
}

function PeopleBatches({ on }: { readonly on: number }) {
  const looked = useSignal(0);
  return (
    <>
      <div class="title-line">
        <h3>Searches so far</h3>
        <button type="button" class="small" onClick={() => looked.value++}>
          Look again
        </button>
      </div>
      <PagedTable
        label="Searches for many people"
        on={[on, looked.value]}
        load={async (cursor, signal) => {
          const page = await take(api.GET('/api/v1/finder/batch', { params: { query: { cursor } }, signal }));
          return { rows: page.batches, nextCursor: page.next_cursor };
        }}
        keyOf={({ id }) => id}
        empty={<Empty title="None yet" />}
        columns={[
          { name: 'List', cell: (one) => one.name ?? `Search ${one.id}` },
          { name: 'State', cell: stateOf },
          { name: 'People', cell: (one) => count(one.total_people), isNumber: true },
          { name: 'Found', cell: ({ counts }) => count(counts.valid + counts.risky), isNumber: true },
          { name: 'Credits', cell: (one) => count(one.credits_charged), isNumber: true },
          { name: 'Sent', cell: (one) => <Time at={one.created_at} /> },
          {
            name: 'Results',
            cell: ({ id, status }) =>
              status === 'completed' && (
                <a href={`/api/v1/finder/batch/${id}/results?format=csv`} download={`people-${id}.csv`}>
                  CSV
                </a>
              ),
          },
        ]}
      />
    </>
  );
}

const stateOf = ({ status, progress }: PeopleBatch): string =>
  status === 'processing' ? `${status}, ${percent(progress / 100)}` : status;
