import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ActionForm } from '../../parts/action.js';
import { TextField } from '../../parts/field.js';
import { endedBecause, signIn } from '../../shell/session.js';

/** A key is pasted, or filled in by the browser's password manager; nothing has to be remembered or solved (WCAG 2.2, 3.3.8). */
export function SignInScreen() {
  const apiKey = useSignal('');
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  return (
    <div class="sign-in">
      <h1>Sign in</h1>
      {endedBecause.value !== null && <p class="note">{endedBecause}</p>}
      <div class="card" ref={form}>
        <ActionForm action="Sign in" onAct={() => signIn(apiKey.value)}>
          <TextField
            label="API key"
            type="password"
            name="api_key"
            autocomplete="current-password"
            required
            maxLength={200}
            value={apiKey}
            hint="It is sent once. Then your browser holds a session that no script can read, and that ends with the key."
          />
        </ActionForm>
      </div>
      <p class="hint">
        A test key (<code>ms_test_…</code>) shows everything in a simulated mail world, for nothing. Started without a
        database of its own, the service prints one. An administrator makes the first key of an account with{' '}
        <code>npm run admin</code>.
      </p>
    </div>
  );
}
