import { computed, signal } from '@preact/signals';
import { MailsondeError } from '../../../client/mailsonde-error.js';
import { announce } from '../parts/announcer.js';
import { onSessionEnd, send } from './api.js';

/** What the service says of this session (docs/console.md). */
export interface Session {
  readonly key: {
    readonly id: string;
    readonly kind: 'agent' | 'live' | 'test' | 'admin';
    readonly name: string | null;
    readonly last_four: string;
  };
  readonly account: { readonly id: string; readonly name: string | null; readonly plan: string } | null;
  /** The simulated mail world answers, and nothing is charged. */
  readonly simulated: boolean;
  readonly permissions: readonly string[] | null;
  readonly batch_size: number;
  readonly retention_days: number;
  readonly expires_at: string;
}

/** Whose pages are shown. */
export type Audience = 'customer' | 'agent' | 'admin';

const AUDIENCES = { live: 'customer', test: 'customer', agent: 'agent', admin: 'admin' } as const;
const PATH = '/console/session';

/** Null: nobody is signed in. */
export const session = signal<Session | null>(null);
/** Why the sign-in is shown again; null on the first visit. */
export const endedBecause = signal<string | null>(null);
export const audience = computed<Audience | null>(() => {
  const key = session.value?.key;
  return key === undefined ? null : AUDIENCES[key.kind];
});

onSessionEnd(() => {
  if (session.value === null) return;
  session.value = null;
  endedBecause.value =
    'Your session has ended: its key was revoked or has expired, or you were away for long. Sign in to go on here.';
  announce(endedBecause.value);
});

/** Whether the key has a permission; the service decides again at each request. */
export function may(permission: string): boolean {
  const held = session.value?.permissions;
  return held === null || held?.includes(permission) === true;
}

/** @throws MailsondeError when the service could not be reached */
export async function loadSession(): Promise<void> {
  try {
    session.value = (await (await send(PATH)).json()) as Session;
  } catch (error) {
    if (!(error instanceof MailsondeError)) throw error;
    session.value = null;
    if (error.status !== 401) endedBecause.value = error.message;
  }
}

/** @throws MailsondeError for a key that is no good */
export async function signIn(apiKey: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await send(PATH, { method: 'POST', headers, body: JSON.stringify({ api_key: apiKey }) });
  await loadSession();
  endedBecause.value = null;
}

/** @throws MailsondeError when the service could not be reached */
export async function signOut(isEverywhere: boolean): Promise<void> {
  await send(`${PATH}?everywhere=${isEverywhere}`, { method: 'DELETE' }).catch((error: unknown) => {
    // It has ended already.
    if (!(error instanceof MailsondeError) || error.status !== 401) throw error;
  });
  session.value = null;
  endedBecause.value = isEverywhere ? 'You are signed out everywhere.' : 'You are signed out.';
}
