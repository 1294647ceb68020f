import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { render } from 'preact';
import { asFailure, type Failure, FailureNote } from './parts/failure.js';
import { Layout } from './layout.js';
import { type Screen, screensFor } from './screens.js';
import { audience, endedBecause, loadSession, signIn } from './session/session.js';
import { ActionForm, TextField } from './parts/form.js';

/** The screen that the address names, for whoever is signed in. */
export function App() {
  return (
    <LocationProvider scope="/console">
      <Layout>{audience.value === null ? <SignInScreen /> : <Screens of={screensFor(audience.value)} />}</Layout>
    </LocationProvider>
  );
}

function Screens({ of: screens }: { readonly of: readonly Screen[] }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const { path } = useLocation();
  useEffect(() => setFailure(null), [path]);
  if (failure !== null) return <FailureNote failure={failure} />;
  return (
    <ErrorBoundary onError={(error) => setFailure(asFailure(error))}>
      <Router onRouteChange={moved}>
        {[
          ...screens.map(({ path: own, component }) => <Route key={own} path={own} component={component} />),
          <Route key="home" path="/console" component={screens[0]!.component} />,
          <Route key="none" default component={NotThere} />,
        ]}
      </Router>
    </ErrorBoundary>
  );
}

/** As after loading a page: a screen reader begins at the heading of the new screen. */
function moved(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}

function NotThere() {
  return (
    <>
      <h1>Nothing is here</h1>
      <p>
        This address belongs to no screen that you can open. <a href="/console">Go to the start</a>.
      </p>
    </>
  );
}

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

const place = document.getElementById('console');
if (place !== null) {
  await loadSession();
  render(<App />, place);
}
