import { useLocation, useRoute } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../parts/announcer.js';
import { Code } from '../parts/code.js';
import { Confirm } from '../parts/dialog.js';
import { type Part, Section, Unloaded, useLoad, usePolling } from '../parts/listing.js';
import { count, Countdown, Facts, Time } from '../parts/values.js';
import { FailureNote } from '../parts/failure.js';
import { api } from '../session/api.js';
import { outcomeOf, type PlacementTest } from './placement-outcome.js';
import { MessageReport, NextSteps, PlacementGrid, TestBadge } from './placement-result.js';

/** While a mail is waited for, and while mailboxes are looked into. */
const WAITING_MS = 2_000;
const RECEIVING_MS = 5_000;

const SENTENCES: Readonly<Record<PlacementTest['status'], string>> = {
  waiting: 'Send your mail to the addresses below. This page sees it arrive.',
  receiving: 'It has arrived; the mailboxes are looked into until all have it or the time is over.',
  completed: 'Everything that could be measured is here.',
  expired: 'No mail came in time. Nothing was charged.',
  cancelled: 'It was cancelled.',
};

/** Where the mail went, as soon as a mailbox has it. */
const seenIn = ({ placement }: PlacementTest) =>
  placement === null || placement.measured === 0 ? null : outcomeOf(placement);

const moves = ({ status }: PlacementTest): boolean => status === 'waiting' || status === 'receiving';

/** One test: where to send, what has arrived where, and what is wrong with the mail. */
export function PlacementTestScreen() {
  const id = Number(useRoute().params['id']);
  const loaded = useLoad((signal) => api.get('/api/v1/placement/tests/{id}', { path: { id }, signal }), [id]);
  const test = loaded.data.value;
  usePolling(loaded, test === null || !moves(test) ? null : test.status === 'waiting' ? WAITING_MS : RECEIVING_MS);
  const seen = useRef(test?.status);
  useEffect(() => {
    if (test !== null && seen.current !== undefined && seen.current !== test.status)
      announce(`The test is ${test.status}. ${seenIn(test)?.headline ?? SENTENCES[test.status]}`);
    seen.current = test?.status;
  }, [test?.status]);
  const failure = loaded.failure.value;
  if (test === null) return <Unloaded of={loaded} title="Placement test" to="/console/placement" toTitle="All tests" />;
  return (
    <>
      <p>
        <a href="/console/placement">All tests</a>
      </p>
      <div class="title-line">
        <h1 class="long">{test.name ?? `Test ${id}`}</h1>
        <div class="actions tight">
          {test.report !== null && (
            <a class="button" href={`/console/placement/${id}/compare`}>
              Compare
            </a>
          )}
          <RemoveTest of={test} onChanged={loaded.reload} />
        </div>
      </div>
      <FailureNote failure={failure} />
      <Summary of={test} />
      {moves(test) && <WhereToSend of={test} />}
      {(test.report !== null || test.status === 'completed') && <NextSteps of={test} />}
      {test.placement !== null && test.placement.providers.length > 0 && <PlacementGrid of={test.placement} />}
      {test.report !== null && <MessageReport of={test.report} />}
      {test.messages > 0 && (
        <p>
          <a href={`/api/v1/placement/tests/${id}/message`} download={`test-${id}.eml`}>
            Download our copy of the mail, which is kept for 7 days
          </a>
        </p>
      )}
    </>
  );
}

function Summary({ of: test }: { readonly of: PlacementTest }) {
  const outcome = seenIn(test);
  return (
    <section class="card" aria-label="State">
      {outcome !== null && <h2 class={outcome.colour}>{outcome.headline}</h2>}
      {(outcome === null || moves(test)) && (
        <p class="verdict">
          <TestBadge of={test} />
          <span>{SENTENCES[test.status]}</span>
        </p>
      )}
      <Facts
        of={{
          Made: <Time at={test.created_at} />,
          'Waits for': test.status === 'waiting' ? <Countdown until={test.expires_at} over="no longer" /> : null,
          'First arrival': test.first_arrival_at && <Time at={test.first_arrival_at} />,
          Ended: test.settled_at && <Time at={test.settled_at} />,
          Credits: `${count(test.credits_charged)} charged${test.credits_reserved > 0 ? `, ${count(test.credits_reserved)} reserved` : ''}`,
        }}
      />
    </section>
  );
}

function WhereToSend({ of: { send_to: addresses, marker } }: { readonly of: PlacementTest }) {
  return (
    <Section id="send" title="Where to send" class="card wrapped">
      <Code
        label={addresses.length === 1 ? 'The address' : `The ${addresses.length} addresses`}
        text={addresses.join('\n')}
      />
      <p>
        Send the mail as you always send it, to each of them. Where your program lets you, add the header or the line
        too: then a mailbox that rewrites its address knows the mail as well.
      </p>
      <Code label="Header" text={marker.header} />
      <Code label="Line of the body" text={marker.body_line} />
    </Section>
  );
}

/** A test that waits is cancelled, one that has ended is deleted with its mail. */
function RemoveTest({ of: test, onChanged }: Part<PlacementTest>) {
  const { route } = useLocation();
  const wasMoving = moves(test);
  const remove = async () => {
    await api.delete('/api/v1/placement/tests/{id}', { path: { id: test.id } });
    if (wasMoving) await onChanged();
    else route('/console/placement');
  };
  return (
    <Confirm action={wasMoving ? 'Cancel' : 'Delete'} onAct={remove}>
      <p>
        {wasMoving
          ? 'Nobody waits for the mail any more. What was reserved and not used is given back.'
          : 'The test is deleted with its report and our copy of the mail.'}
      </p>
    </Confirm>
  );
}
