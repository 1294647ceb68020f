import { lazy } from 'preact-iso';
import { ACCOUNT_SCREENS } from './account-screens.js';
import { ADMINISTRATOR_SCREENS } from './administrator-screens.js';
import { DELIVERABILITY_SCREENS } from './deliverability-screens.js';
import type { Screen } from './screen.js';
import type { Audience } from './session.js';

const EVERYBODY: readonly Audience[] = ['customer', 'agent', 'admin'];

/** Every screen, each in a file of its own that is loaded when it is opened. The first one of an audience is its home. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/check',
    title: 'Check an address',
    group: 'Verify',
    for: ['customer'],
    needs: 'verify',
    component: lazy(() => import('../screens/check/check-screen.js').then((screen) => screen.CheckScreen)),
  },
  {
    path: '/upload',
    title: 'New list',
    group: 'Verify',
    for: ['customer'],
    needs: 'batches',
    component: lazy(() => import('../screens/upload/upload-screen.js').then((screen) => screen.UploadScreen)),
  },
  {
    path: '/batches',
    title: 'Lists',
    group: 'Verify',
    for: ['customer'],
    needs: 'batches',
    component: lazy(() => import('../screens/batches/batch-list-screen.js').then((screen) => screen.BatchListScreen)),
  },
  {
    path: '/batches/:id',
    title: 'List',
    group: null,
    for: ['customer'],
    needs: 'batches',
    component: lazy(() => import('../screens/batches/batch-screen.js').then((screen) => screen.BatchScreen)),
  },
  {
    path: '/keys',
    title: 'Keys',
    group: 'Account',
    for: ['customer'],
    needs: 'keys',
    component: lazy(() => import('../screens/keys/keys-screen.js').then((screen) => screen.KeysScreen)),
  },
  {
    path: '/agent',
    title: 'This agent',
    group: 'Verify',
    for: ['agent'],
    component: lazy(() => import('../screens/agent/agent-screen.js').then((screen) => screen.AgentScreen)),
  },
  ...ACCOUNT_SCREENS,
  ...DELIVERABILITY_SCREENS,
  ...ADMINISTRATOR_SCREENS,
  {
    path: '/you',
    title: 'This session',
    group: 'You',
    for: EVERYBODY,
    component: lazy(() => import('../screens/session/session-screen.js').then((screen) => screen.SessionScreen)),
  },
];

/** Such as `/console/batches/7`. */
export const linkTo = (path: string): string => `/console${path}`;

export function screensFor(audience: Audience): readonly Screen[] {
  return SCREENS.filter((screen) => screen.for.includes(audience));
}
