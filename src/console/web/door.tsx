import { useSignal } from '@preact/signals';
import { render } from 'preact';
import { Code, CopyButton } from './parts/code.js';
import { type Verification, VerificationCard } from './parts/verification.js';

/** Kinds of mailbox that the simulated world knows by a word in the address (docs/test-mode.md), with what a person calls them. */
const KINDS = [
  ['valid', 'exists'],
  ['invalid', 'no such mailbox'],
  ['catch-all', 'domain accepts all'],
  ['full', 'full'],
  ['disabled', 'closed'],
  ['disposable', 'throw-away'],
  ['greylisted', 'greylisted'],
  ['blocked', 'we are blocked'],
  ['no-mx', 'no mail server'],
] as const;

const addressOf = (word: string): string => `jane+${word}@example.com`;

/** An address, a verdict and the reply as a program gets it, side by side. */
export function TryBox() {
  const email = useSignal(addressOf('catch-all'));
  const answer = useSignal<Verification | null>(null);
  const failure = useSignal<string | null>(null);
  const isAsking = useSignal(false);

  const ask = async (address: string) => {
    email.value = address;
    isAsking.value = true;
    try {
      const reply = await fetch('/try', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: address }),
      });
      const body = (await reply.json()) as Verification & { error?: string; request_id?: string };
      failure.value = reply.ok
        ? null
        : `${body.error ?? 'The request failed.'} (request ${body.request_id ?? 'unknown'})`;
      if (reply.ok) answer.value = body;
    } catch {
      failure.value = 'The service could not be reached. Is it still running?';
    } finally {
      isAsking.value = false;
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void ask(email.value);
  };

  return (
    <div class="columns">
      <div>
        <form onSubmit={submit}>
          <label for="email">Email address</label>
          <div class="field">
            <input
              id="email"
              name="email"
              autocomplete="off"
              spellcheck={false}
              maxLength={1000}
              required
              value={email}
              onInput={(event) => (email.value = event.currentTarget.value)}
            />
            <button class="primary" disabled={isAsking}>
              Check
            </button>
          </div>
        </form>
        <ul class="chips" aria-label="Kinds of mailbox">
          {KINDS.map(([word, name]) => (
            <li key={word}>
              <button
                type="button"
                aria-pressed={answer.value?.email === addressOf(word)}
                onClick={() => void ask(addressOf(word))}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
        <div role="status">
          {failure.value !== null && <p class="error">{failure}</p>}
          {failure.value === null && answer.value !== null && (
            <div class="card">
              <VerificationCard verification={answer.value} onSuggestion={(meant) => void ask(meant)} />
            </div>
          )}
          {answer.value === null && failure.value === null && (
            <p class="hint">Press Check, or choose a kind of mailbox.</p>
          )}
        </div>
      </div>
      <div>
        <Code label="Command" text={commandOf(email.value)} />
        {answer.value !== null && <Code label="Reply" text={JSON.stringify(answer.value, null, 2)} />}
      </div>
    </div>
  );
}

/** For a shell: a quote within the text ends it, is written by itself, and begins it anew. */
function commandOf(email: string): string {
  const body = JSON.stringify({ email }).replaceAll("'", String.raw`'\''`);
  return `curl ${location.origin}/try -H 'Content-Type: application/json' -d '${body}'`;
}

const place = document.getElementById('try');
if (place !== null) {
  place.replaceChildren();
  render(<TryBox />, place);
}
for (const code of document.querySelectorAll('[data-copy]')) {
  const pre = code.querySelector('pre');
  const holder = code.appendChild(document.createElement('span'));
  render(<CopyButton text={pre?.textContent ?? ''} of={pre?.getAttribute('aria-label') ?? 'the text'} />, holder);
}
