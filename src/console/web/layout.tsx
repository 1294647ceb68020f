import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { exec } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import mark from './mark.svg';
import { Announcer } from './parts/announcer.js';
import { GROUPS, type Screen, screensFor } from './screens.js';
import { audience, may, type Session, session } from './session/session.js';

const PRODUCT = 'Mailsonde';

/** What surrounds every screen. */
export function Layout({ children }: { readonly children: ComponentChildren }) {
  const isOpen = useSignal(false);
  const { path: address } = useLocation();
  const who = audience.value;
  const screens = who === null ? [] : screensFor(who);
  const path = address === '/console' ? (screens[0]?.path ?? address) : address;
  const here = screens.find((screen) => exec(path, screen.path));
  useEffect(() => {
    isOpen.value = false;
    document.title = here === undefined ? `${PRODUCT} console` : `${here.title} · ${PRODUCT}`;
  }, [path, here]);
  return (
    <div class={who === null ? 'console alone' : 'console'}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="/console">
          <img src={mark} alt="" width="28" height="28" />
          {PRODUCT}
        </a>
        {session.value !== null && <Who of={session.value} />}
        {screens.length > 0 && (
          <button
            type="button"
            class="menu"
            aria-expanded={isOpen.value}
            aria-controls="screens"
            onClick={() => (isOpen.value = !isOpen.value)}
          >
            Menu
          </button>
        )}
      </header>
      {screens.length > 0 && (
        <nav id="screens" class={isOpen.value ? 'screens open' : 'screens'} aria-label="Screens">
          {GROUPS.map((group) => (
            <Group key={group} name={group} path={path} of={screens.filter((screen) => screen.group === group)} />
          ))}
        </nav>
      )}
      <main id="main" tabindex={-1}>
        {children}
      </main>
      <Announcer />
    </div>
  );
}

interface GroupProps {
  readonly name: string;
  readonly path: string;
  readonly of: readonly Screen[];
}

function Group({ name, path, of: screens }: GroupProps) {
  const shown = screens.filter(({ needs }) => needs.every(may));
  if (shown.length === 0) return null;
  return (
    <>
      {name !== '' && <h2>{name}</h2>}
      <ul>
        {shown.map((screen) => (
          <li key={screen.path}>
            <a
              href={screen.path}
              aria-current={path === screen.path || path.startsWith(`${screen.path}/`) ? 'page' : undefined}
            >
              {screen.title}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Whose data is on the screen, and whether it is the simulated world's. */
function Who({ of: { account, key, simulated } }: { readonly of: Session }) {
  return (
    <p class="who">
      {simulated && (
        <a class="badge care" href="/console/you">
          test mode
        </a>
      )}
      <span>{account?.name ?? (audience.value === 'admin' ? 'Administrator' : 'Agent')}</span>
      <span class="hint mono">…{key.last_four}</span>
    </p>
  );
}
