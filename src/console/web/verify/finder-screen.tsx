import { useSignal } from '@preact/signals';
import { ActionButton, ActionForm, TextAreaField, TextField } from '../parts/form.js';
import { type Account, api } from '../session/api.js';
import { type Finding, FindingCard, deleteSearch, nameOf, SearchActs, SearchQuote } from './search.js';
import { type UnreadLine, UnreadLines } from '../parts/unread-lines.js';
import { counted, Time } from '../parts/values.js';
import { Listing, Section } from '../parts/listing.js';
import { TEST_WORDS, TestWords } from '../session/test-words.js';
import { stateName } from './batch.js';

/** The address of a person at a company. */
export function FinderScreen() {
  const name = useSignal('');
  const domain = useSignal('');
  const finding = useSignal<Finding | null>(null);
  const find = async () => {
    finding.value = null;
    const body = { full_name: name.value.trim(), domain: domain.value.trim() };
    finding.value = await api.post('/api/v1/finder/email', { body });
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
          <TestWords words={TEST_WORDS} onPick={(word) => (domain.value = `${word}.example.com`)} />
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
    held.value = await api.post('/api/v1/finder/batch', { query: { hold: true }, body });
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
    <Section id="people" title="Many people">
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
    </Section>
  );
}

function PeopleBatches({ on, onChange }: { readonly on: number; readonly onChange: (id: number) => void }) {
  const looked = useSignal(0);
  return (
    <>
      <div class="title-line">
        <h3>Searches so far</h3>
        <button type="button" class="small" onClick={() => looked.value++}>
          Look again
        </button>
      </div>
      <Listing
        label="Searches for many people"
        on={[on, looked.value]}
        load={(page) => api.get('/api/v1/finder/batch', page())}
        rows="batches"
        empty="None yet"
        columns={{
          List: (one) => <a href={`/console/searches/${one.id}`}>{nameOf(one)}</a>,
          State: stateName,
          People: (one) => one.total_people,
          Found: ({ counts }) => counts.valid + counts.risky,
          Credits: (one) => one.credits_charged,
          Sent: (one) => <Time at={one.created_at} />,
          Results: ({ id, completed_at: end }) =>
            end !== null && (
              <a href={`/api/v1/finder/batch/${id}/results?format=csv&bom=true`} download={`people-${id}.csv`}>
                CSV
              </a>
            ),
          '': (one) => <SearchActs of={one} onChange={() => onChange(one.id)} onDelete={() => onChange(one.id)} />,
        }}
      />
    </>
  );
}
