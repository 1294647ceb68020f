import { lazy } from 'preact-iso';
import type { Screen } from './screen.js';

/** The screens of an account beside its lists and keys. */
export const ACCOUNT_SCREENS: readonly Screen[] = [
  {
    path: '/schedules',
    title: 'Schedules',
    group: 'Verify',
    for: ['customer'],
    needs: 'lists',
    component: lazy(() => import('../screens/schedules/schedules-screen.js').then((screen) => screen.SchedulesScreen)),
  },
  {
    path: '/finder',
    title: 'Finder',
    group: 'Verify',
    for: ['customer'],
    needs: 'finder',
    component: lazy(() => import('../screens/finder/finder-screen.js').then((screen) => screen.FinderScreen)),
  },
  {
    path: '/searches/:id',
    title: 'Search',
    group: null,
    for: ['customer'],
    needs: 'finder',
    component: lazy(() =>
      import('../screens/finder/people-search-screen.js').then((screen) => screen.PeopleSearchScreen),
    ),
  },
  {
    path: '/credits',
    title: 'Credits and usage',
    group: 'Account',
    for: ['customer'],
    needs: 'credits',
    component: lazy(() => import('../screens/credits/credits-screen.js').then((screen) => screen.CreditsScreen)),
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    group: 'Account',
    for: ['customer'],
    needs: 'webhooks',
    component: lazy(() => import('../screens/webhooks/webhooks-screen.js').then((screen) => screen.WebhooksScreen)),
  },
  {
    path: '/webhooks/:id',
    title: 'Endpoint',
    group: null,
    for: ['customer'],
    needs: 'webhooks',
    component: lazy(() => import('../screens/webhooks/endpoint-screen.js').then((screen) => screen.EndpointScreen)),
  },
  {
    path: '/deliveries/:id',
    title: 'Delivery',
    group: null,
    for: ['customer'],
    needs: 'webhooks',
    component: lazy(() => import('../screens/webhooks/delivery-screen.js').then((screen) => screen.DeliveryScreen)),
  },
  {
    path: '/claim',
    title: 'Claim an agent',
    group: 'Account',
    for: ['customer'],
    needs: 'keys',
    component: lazy(() => import('../screens/claim/claim-screen.js').then((screen) => screen.ClaimScreen)),
  },
  {
    path: '/suppressions',
    title: 'Suppressions',
    group: 'Account',
    for: ['customer'],
    needs: 'suppressions',
    component: lazy(() =>
      import('../screens/suppressions/suppressions-screen.js').then((screen) => screen.SuppressionsScreen),
    ),
  },
  {
    path: '/privacy',
    title: 'Privacy',
    group: 'Account',
    for: ['customer'],
    needs: ['results', 'suppressions'],
    component: lazy(() => import('../screens/privacy/privacy-screen.js').then((screen) => screen.PrivacyScreen)),
  },
  {
    path: '/connect',
    title: 'Connect',
    group: 'Account',
    for: ['customer'],
    component: lazy(() => import('../screens/connect/connect-screen.js').then((screen) => screen.ConnectScreen)),
  },
];
