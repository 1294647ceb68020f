import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { asFailure, type Failure, FailureNote } from '../parts/failure.js';
import { SignInScreen } from '../screens/sign-in/sign-in-screen.js';
import { Layout } from './layout.js';
import { linkTo, screensFor } from './routes.js';
import type { Screen } from './screen.js';
import { audience } from './session.js';

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
          ...screens.map(({ path: own, component }) => <Route key={own} path={linkTo(own)} component={component} />),
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
