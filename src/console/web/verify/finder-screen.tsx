import { useSignal } from '@preact/signals';
import { ActionButton, ActionForm } from '../parts/action.js';
import { TextAreaField, TextField } from '../parts/field.js';
import { type Account, api, take } from '../session/api.js';
import { type Finding, FindingCard, deleteSearch, nameOf, SearchActs, SearchQuote } from './search.js';
import { type UnreadLine, UnreadLines } from '../parts/unread-lines.js';
import { count, counted } from '../parts/figures.js';
import { Empty, PagedTable } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { linkTo } from '../parts/link.js';
import { stateName } from './batch.js';

/** The address of a person at a company. */
export function FinderScreen() {
  const name = useSignal('');
  const domain = useSignal('');
  const finding = useSignal<Finding | null>(null);
  const find = async () => {
    finding.value = null;
    const body = { full_name: name.value.trim(), domain: domain.value.trim() };
    finding.value = await take(api.POST('/api/v1/finder/email', { body }));
  };
  return (
    <>
      <h1>Finder</h1>
      <p>A name and a company's domain in, the person's address out. It costs a credit only when one is found.</p>
      <div class="card">
        <ActionForm action="Find" onAct={find} disabled={name.value.trim() === '' || domain.value.trim() === ''}>
          <div class="row">
            <TextField label="Full name" value={name} maxLength={200} placeholder="Dr. Jürgen Müller" />
            <TextField label="Domain or website" value={domain} maxLength={300} placeholder="example.com" />
          </div>
        </ActionForm>
      </div>
      <div role="status">{finding.value !== null && <FindingCard of={finding.value} isAlone />}</div>
      <PeopleSection />
    </>
  );
}

type HeldSearch = Account['schemas']['PeopleBatchTakenReply'];

interface Named {
  readonly full_name: string;
  readonly domain: string;
}

/** A line is a name and a domain, with a comma, a semicolon or a tab between them. */
function peopleOf(text: string): { people: Named[]; unread: UnreadLine[] } {
  const people: Named[] = [];
  const unread: UnreadLine[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, name = '', domain = ''] = /^(.+?)\s*[,;\t]\s*([^,;\t]+?)\s*$/.exec(line) ?? [];
    if (name !== '' && domain.includes('.')) people.push({ full_name: name.trim(), domain });
    else unread.push({ number: i + 1, text: line });
  }
  return { people, unread };
}

/** Many people at once: what it would cost first, and then the work. */
export function PeopleSection() {
  const text = useSignal('');
  const name = useSignal('');
  const held = useSignal<HeldSearch | null>(null);
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
  const drop = async () => {
    await deleteSearch(held.value!.id);
    done();
  };
  /** What was done in its row is done here too. */
  const changeRow = (id: number) => {
    if (held.value?.id === id) done();
    else changed.value++;
  };
  return (
    <section aria-labelledby="people">
      <h2 id="people">Many people</h2>
      <div class="card">
        {held.value?.quote === undefined ? (
          <ActionForm action="What does it cost?" onAct={hold} disabled={people.length === 0}>
            <TextAreaField
              label="People, one a line: name, domain"
              value={text}
              rows={6}
              placeholder={'Jane Doe, example.com\nJohn Smith, example.org'}
              hint={counted(people.length, 'person', 'people')}
            />
            <TextField label="Name of the list" value={name} maxLength={200} />
          </ActionForm>
        ) : (
          <SearchQuote id={held.value.id} quote={held.value.quote} onStart={done}>
            <ActionButton onAct={drop}>Do not</ActionButton>
          </SearchQuote>
        )}
        <UnreadLines of={unread} why="no name and domain" />
      </div>
      <PeopleBatches on={changed.value} onChange={changeRow} />
    </section>
  );
}

interface PeopleBatchesProps {
  readonly on: number;
  readonly onChange: (id: number) => void;
}

function PeopleBatches({ on, onChange }: PeopleBatchesProps) {
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
        load={(cursor, signal) => take(api.GET('/api/v1/finder/batch', { params: { query: { cursor } }, signal }))}
        rows={(page) => page.batches}
        keyOf={({ id }) => id}
        empty={<Empty title="None yet" />}
        columns={[
          { name: 'List', cell: (one) => <a href={linkTo(`/searches/${one.id}`)}>{nameOf(one)}</a> },
          { name: 'State', cell: stateName },
          { name: 'People', cell: (one) => count(one.total_people), isNumber: true },
          { name: 'Found', cell: ({ counts }) => count(counts.valid + counts.risky), isNumber: true },
          { name: 'Credits', cell: (one) => count(one.credits_charged), isNumber: true },
          { name: 'Sent', cell: (one) => <Time at={one.created_at} /> },
          {
            name: 'Results',
            cell: ({ id, completed_at: end }) =>
              end !== null && (
                <a href={`/api/v1/finder/batch/${id}/results?format=csv&bom=true`} download={`people-${id}.csv`}>
                  CSV
                </a>
              ),
          },
          {
            name: '',
            cell: (one) => <SearchActs of={one} onChange={() => onChange(one.id)} onDelete={() => onChange(one.id)} />,
          },
        ]}
      />
    </>
  );
}
