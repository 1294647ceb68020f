import { signal, useSignal } from '@preact/signals';
import { type Account, api } from '../session/api.js';
import { ActionForm, TextField } from '../parts/form.js';
import { announce } from '../parts/announcer.js';
import { Code } from '../parts/code.js';
import { Section, Table } from '../parts/listing.js';
import { ACTIONS, VerificationCard } from '../parts/verification.js';
import { TEST_WORDS, testAddress, TestWords } from '../session/test-words.js';

export type Verified = Account['schemas']['FullVerificationReply'];

const MAX_RECENT = 20;

/** What was checked in this tab, newest first; it is kept nowhere, and gone with the tab. */
export const recent = signal<readonly Verified[]>([]);

export function remember(verified: Verified): void {
  recent.value = [verified, ...recent.value].slice(0, MAX_RECENT);
}

/** One address: what to do first, then why, and what the mail server said. */
export function CheckScreen() {
  const email = useSignal('');
  const shown = useSignal<Verified | null>(recent.value[0] ?? null);
  const check = async () => {
    const verified = await api.post('/api/v1/verify', { body: { email: email.value.trim() } });
    shown.value = verified;
    remember(verified);
    announce(`${verified.email}: ${ACTIONS[verified.action] ?? verified.action}, ${verified.verdict}`);
  };
  return (
    <>
      <h1>Check an address</h1>
      <ActionForm action="Check" onAct={check}>
        <TextField label="Email address" name="email" required maxLength={1000} value={email} />
        <TestWords words={TEST_WORDS} onPick={(word) => (email.value = testAddress(word))} />
      </ActionForm>
      {shown.value !== null && (
        <div class="columns below">
          <section class="card" aria-label="Verdict">
            <h2 class="mono wrap">{shown.value.email}</h2>
            <VerificationCard verification={shown.value} onSuggestion={(meant) => (email.value = meant)} />
          </section>
          <section aria-label="For programs">
            <Code label="Command" text={commandFor(shown.value.email)} />
            <details>
              <summary>Reply</summary>
              <Code label="Reply" text={JSON.stringify(shown.value, null, 2)} />
            </details>
          </section>
        </div>
      )}
      {recent.value.length > 1 && (
        <Section id="recent" title="Checked in this tab">
          <Table
            label="Checked in this tab"
            rows={recent.value}
            keyOf={({ request_id: id }) => id}
            columns={{
              Address: (row) => (
                <button type="button" class="quiet small mono" onClick={() => (shown.value = row)}>
                  {row.email}
                </button>
              ),
              Verdict: ({ verdict }) => <span class={`badge ${verdict}`}>{verdict}</span>,
              Reason: ({ reason }) => <span class="mono">{reason}</span>,
              Do: ({ action }) => ACTIONS[action] ?? action,
            }}
          />
          <p class="hint">They are stored nowhere, and gone when you close the tab.</p>
        </Section>
      )}
    </>
  );
}

/** For a shell: a quote within the text ends it, is written by itself, and begins it anew. */
function commandFor(email: string): string {
  const body = JSON.stringify({ email }).replaceAll("'", String.raw`'\''`);
  return `curl ${location.origin}/api/v1/verify -H "Authorization: Bearer $MAILSONDE_KEY" -H 'Content-Type: application/json' -d '${body}'`;
}
