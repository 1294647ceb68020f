import { lazy } from 'preact-iso';
import type { Screen } from './screen.js';

const SHARED = { group: 'Deliverability', for: ['customer'], needs: 'deliverability' } as const;

/** Whether mail arrives, and why it may not. */
export const DELIVERABILITY_SCREENS: readonly Screen[] = [
  {
    ...SHARED,
    path: '/domains',
    title: 'Domain check',
    component: lazy(() => import('../screens/domains/domains-screen.js').then((screen) => screen.DomainsScreen)),
  },
  {
    ...SHARED,
    path: '/domains/:id',
    title: 'Domain check',
    group: null,
    component: lazy(() =>
      import('../screens/domains/domain-check-screen.js').then((screen) => screen.DomainCheckScreen),
    ),
  },
  {
    ...SHARED,
    path: '/blacklists',
    title: 'Block lists',
    component: lazy(() =>
      import('../screens/blacklists/blacklists-screen.js').then((screen) => screen.BlacklistsScreen),
    ),
  },
  {
    ...SHARED,
    path: '/blacklists/:id',
    title: 'Block lists',
    group: null,
    component: lazy(() =>
      import('../screens/blacklists/list-check-screen.js').then((screen) => screen.ListCheckScreen),
    ),
  },
  {
    ...SHARED,
    path: '/monitors',
    title: 'Monitors',
    component: lazy(() => import('../screens/monitors/monitors-screen.js').then((screen) => screen.MonitorsScreen)),
  },
  {
    ...SHARED,
    path: '/monitors/:id',
    title: 'Monitor',
    group: null,
    component: lazy(() => import('../screens/monitors/monitor-screen.js').then((screen) => screen.MonitorScreen)),
  },
  {
    ...SHARED,
    path: '/monitors/:id/reports',
    title: 'DMARC reports',
    group: null,
    component: lazy(() => import('../screens/reports/reports-screen.js').then((screen) => screen.ReportsScreen)),
  },
  {
    ...SHARED,
    path: '/monitors/:id/tls-reports',
    title: 'TLS reports',
    group: null,
    component: lazy(() => import('../screens/reports/tls-reports-screen.js').then((screen) => screen.TlsReportsScreen)),
  },
  {
    ...SHARED,
    path: '/placement',
    title: 'Placement tests',
    component: lazy(() => import('../screens/placement/placement-screen.js').then((screen) => screen.PlacementScreen)),
  },
  {
    ...SHARED,
    path: '/placement/:id',
    title: 'Placement test',
    group: null,
    component: lazy(() =>
      import('../screens/placement/placement-test-screen.js').then((screen) => screen.PlacementTestScreen),
    ),
  },
  {
    ...SHARED,
    path: '/placement/:id/compare',
    title: 'Two placement tests',
    group: null,
    component: lazy(() => import('../screens/placement/compare-screen.js').then((screen) => screen.CompareScreen)),
  },
];
