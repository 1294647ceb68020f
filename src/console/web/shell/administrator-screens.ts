import { lazy } from 'preact-iso';
import type { Screen } from './screen.js';

const SHARED = { group: 'Administration', for: ['admin'] } as const;

/** The screens of administrators. */
export const ADMINISTRATOR_SCREENS: readonly Screen[] = [
  {
    ...SHARED,
    path: '/search',
    title: 'Search',
    component: lazy(() => import('../screens/administration/search-screen.js').then((screen) => screen.SearchScreen)),
  },
  {
    ...SHARED,
    path: '/accounts',
    title: 'Accounts',
    component: lazy(() =>
      import('../screens/administration/accounts-screen.js').then((screen) => screen.AccountsScreen),
    ),
  },
  {
    ...SHARED,
    path: '/accounts/:id',
    title: 'Account',
    group: null,
    component: lazy(() => import('../screens/administration/account-screen.js').then((screen) => screen.AccountScreen)),
  },
  {
    ...SHARED,
    path: '/agents',
    title: 'Agents',
    component: lazy(() => import('../screens/administration/agents-screen.js').then((screen) => screen.AgentsScreen)),
  },
  {
    ...SHARED,
    path: '/all-batches',
    title: 'Batches',
    component: lazy(() =>
      import('../screens/administration/work-screens.js').then((screen) => screen.AllBatchesScreen),
    ),
  },
  {
    ...SHARED,
    path: '/all-deliveries',
    title: 'Deliveries',
    component: lazy(() =>
      import('../screens/administration/work-screens.js').then((screen) => screen.AllDeliveriesScreen),
    ),
  },
  {
    ...SHARED,
    path: '/all-monitors',
    title: 'Monitors',
    component: lazy(() =>
      import('../screens/administration/deliverability/all-monitors-screen.js').then(
        (screen) => screen.AllMonitorsScreen,
      ),
    ),
  },
  {
    ...SHARED,
    path: '/watched-lists',
    title: 'Block lists',
    component: lazy(() =>
      import('../screens/administration/deliverability/watched-lists-screen.js').then(
        (screen) => screen.WatchedListsScreen,
      ),
    ),
  },
  {
    ...SHARED,
    path: '/seeds',
    title: 'Seed mailboxes',
    component: lazy(() =>
      import('../screens/administration/deliverability/seeds-screen.js').then((screen) => screen.SeedsScreen),
    ),
  },
  {
    ...SHARED,
    path: '/operators',
    title: 'Mail operators',
    component: lazy(() =>
      import('../screens/administration/operators-screen.js').then((screen) => screen.OperatorsScreen),
    ),
  },
  {
    ...SHARED,
    path: '/egress',
    title: 'Egress',
    component: lazy(() => import('../screens/administration/egress-screen.js').then((screen) => screen.EgressScreen)),
  },
  {
    ...SHARED,
    path: '/health',
    title: 'Health',
    component: lazy(() => import('../screens/administration/health-screen.js').then((screen) => screen.HealthScreen)),
  },
  {
    ...SHARED,
    path: '/audit',
    title: 'Audit',
    component: lazy(() => import('../screens/administration/audit-screen.js').then((screen) => screen.AuditScreen)),
  },
];
