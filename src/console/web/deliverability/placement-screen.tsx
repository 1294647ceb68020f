import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useId } from 'preact/hooks';
import { ActionForm, SelectField, TextAreaField, TextField } from '../parts/form.js';
import { bytes, counted, Time } from '../parts/values.js';
import { Listing, Section } from '../parts/listing.js';
import { type Account, api, send } from '../session/api.js';
import { TestWords } from '../session/test-words.js';
import { announce } from '../parts/announcer.js';
import { MessageReport, NextSteps, TestBadge } from './placement-result.js';

/** Names of tests that play a part of the simulated world. */
const EXAMPLES = ['all-inbox', 'gmail-spam', 'promotions', 'missing', 'unauthenticated', 'expired'] as const;

/** Where a mail arrives, and what is wrong with it. */
export function PlacementScreen() {
  return (
    <>
      <h1>Placement tests</h1>
      <p>
        Send one of your mails to the addresses of a test: you see where it arrived, and a report on the mail itself.
        Where nothing comes, nothing is charged.
      </p>
      <NewTest />
      <Tests />
      <AnalyzeSection />
    </>
  );
}

function NewTest() {
  const { route } = useLocation();
  const name = useSignal('');
  const seeds = useSignal<'all' | 'none'>('all');
  const settle = useSignal('30');
  const create = async () => {
    const given = name.value.trim();
    const body = {
      seeds: seeds.value,
      settle_minutes: Number(settle.value),
      ...(given !== '' && { name: given }),
    };
    const { id } = await api.post('/api/v1/placement/tests', { body });
    route(`/console/placement/${id}`);
  };
  return (
    <Section id="new" title="New test" class="card">
      <ActionForm action="Make the test" onAct={create}>
        <TextField label="Name" value={name} maxLength={200} placeholder="March campaign" />
        <TestWords words={EXAMPLES} onPick={(example) => (name.value = example)} />
        <div class="row">
          <SelectField
            label="Where to look"
            value={seeds}
            hint="A report costs one credit, with mailboxes five; what could not be measured is given back."
            options={[
              ['all', 'In every mailbox that works here, and our own copy'],
              ['none', 'Only at our own copy of the mail'],
            ]}
          />
          <SelectField
            label="How long after the first arrival"
            value={settle}
            options={['10', '30', '60', '180'].map((minutes) => [minutes, `${minutes} minutes`] as const)}
          />
        </div>
      </ActionForm>
    </Section>
  );
}

function Tests() {
  return (
    <Section id="tests" title="Tests">
      <Listing
        label="Tests"
        load={(page) => api.get('/api/v1/placement/tests', page())}
        rows="tests"
        empty="No test yet"
        emptyHint="Make one above before your next campaign: it shows where the mail arrives while there is time."
        columns={{
          Name: ({ id, name }) => <a href={`/console/placement/${id}`}>{name ?? `Test ${id}`}</a>,
          State: (test) => <TestBadge of={test} />,
          Critical: ({ findings }) => findings.critical,
          Warnings: ({ findings }) => findings.warning,
          Charged: (one) => one.credits_charged,
          Made: (one) => <Time at={one.created_at} />,
        }}
      />
    </Section>
  );
}

type Analysis = Account['schemas']['AnalysisReply'];

const PATH = '/api/v1/placement/analyze';

/** A message with all its headers, judged without being sent. */
export function AnalyzeSection() {
  const pasted = useSignal('');
  const file = useSignal<File | null>(null);
  const from = useSignal('');
  const client = useSignal('');
  const helo = useSignal('');
  const shown = useSignal<Analysis | null>(null);
  const id = useId();
  const analyze = async () => {
    const envelope = { mail_from: from.value.trim(), client_address: client.value.trim(), helo: helo.value.trim() };
    const query = new URLSearchParams(Object.entries(envelope).filter(([, value]) => value !== ''));
    // A message is bytes: a file goes as it is, and what was pasted gets the line ends of mail (RFC 5322 section 2.1).
    const body = file.value ?? pasted.value.replaceAll(/\r?\n/g, '\r\n');
    const headers = { 'Content-Type': 'message/rfc822' };
    const reply = await send(`${PATH}?${query}`, { method: 'POST', headers, body });
    shown.value = (await reply.json()) as Analysis;
    announce(`The message is read: ${counted(shown.value.findings.length, 'finding')}.`);
  };
  return (
    <Section id="analyze" title="A message without sending it">
      <div class="card">
        <ActionForm action="Read it" onAct={analyze} disabled={file.value === null && pasted.value.trim() === ''}>
          <TextAreaField
            label="Source of the message, with all headers"
            rows={6}
            value={pasted}
            placeholder={'From: news@example.com\nSubject: …\n\n…'}
          />
          <div class="labelled">
            <label for={id}>Or an .eml file</label>
            <input
              id={id}
              type="file"
              accept=".eml,message/rfc822"
              onChange={(event) => (file.value = event.currentTarget.files?.[0] ?? null)}
            />
            {file.value !== null && <p class="hint">{bytes(file.value.size)}, in place of what is pasted.</p>}
          </div>
          <details>
            <summary>Who sends it</summary>
            <div class="row">
              <TextField label="MAIL FROM" value={from} placeholder="bounces@example.com" />
              <TextField
                label="Sending address"
                value={client}
                placeholder="198.51.100.25"
                hint="Without it SPF and its reverse name cannot be judged."
              />
              <TextField label="Its name (HELO)" value={helo} placeholder="mail.example.com" />
            </div>
          </details>
        </ActionForm>
        <p class="hint">It costs one credit. Links in it are never opened.</p>
      </div>
      {shown.value !== null && (
        <>
          <NextSteps of={{ report: shown.value, placement: null }} />
          <MessageReport of={shown.value} />
        </>
      )}
    </Section>
  );
}
