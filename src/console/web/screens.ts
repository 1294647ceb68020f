import type { AnyComponent } from 'preact';
import { lazy } from 'preact-iso';
import type { Audience } from './session/session.js';

/** The headings of the navigation, in their order. */
export const GROUPS = ['Verify', 'Deliverability', 'Account', 'Administration', 'You'] as const;

export interface Screen {
  /** Such as `/console/batches/:id`, and neither `/session` nor `/assets`, which are there already; `:id` stands for what is looked at. */
  readonly path: string;
  /** What the navigation, the window and the first heading call it. */
  readonly title: string;
  /** Where the navigation shows it; null: nowhere, another screen leads there. */
  readonly group: (typeof GROUPS)[number] | null;
  readonly for: readonly Audience[];
  /** The permissions of a key without all of which it is not shown. */
  readonly needs: readonly string[];
  readonly component: AnyComponent;
}

type Row = readonly [path: string, title: string, load: () => Promise<AnyComponent>, ...needs: string[]];

/** A screen by the name that its file exports it under. */
const of =
  <Name extends string>(load: () => Promise<Readonly<Record<Name, AnyComponent>>>, name: Name) =>
  async () =>
    (await load())[name];

/** @param shared the permissions of a key without all of which none of them is shown */
function screensOf(
  group: (typeof GROUPS)[number],
  who: readonly Audience[],
  rows: readonly Row[],
  ...shared: string[]
) {
  return rows.map(([path, title, load, ...needs]): Screen => ({
    path: `/console${path}`,
    title,
    group: path.includes(':') ? null : group,
    for: who,
    needs: [...shared, ...needs],
    component: lazy(load),
  }));
}

const VERIFY: readonly Row[] = [
  ['/check', 'Check an address', of(() => import('./verify/check-screen.js'), 'CheckScreen'), 'verify'],
  ['/upload', 'New list', of(() => import('./verify/upload-screen.js'), 'UploadScreen'), 'batches'],
  ['/batches', 'Lists', of(() => import('./verify/batch-screen.js'), 'BatchListScreen'), 'batches'],
  ['/batches/:id', 'List', of(() => import('./verify/batch-screen.js'), 'BatchScreen'), 'batches'],
  ['/schedules', 'Schedules', of(() => import('./verify/schedules-screen.js'), 'SchedulesScreen'), 'lists'],
  ['/finder', 'Finder', of(() => import('./verify/finder-screen.js'), 'FinderScreen'), 'finder'],
  ['/searches/:id', 'Search', of(() => import('./verify/people-search-screen.js'), 'PeopleSearchScreen'), 'finder'],
];

const DELIVERABILITY: readonly Row[] = [
  ['/domains', 'Domain check', of(() => import('./deliverability/domains-screen.js'), 'DomainsScreen')],
  ['/domains/:id', 'Domain check', of(() => import('./deliverability/domains-screen.js'), 'DomainCheckScreen')],
  ['/blacklists', 'Block lists', of(() => import('./deliverability/blacklists-screen.js'), 'BlacklistsScreen')],
  ['/blacklists/:id', 'Block lists', of(() => import('./deliverability/blacklists-screen.js'), 'ListCheckScreen')],
  ['/monitors', 'Monitors', of(() => import('./deliverability/monitors-screen.js'), 'MonitorsScreen')],
  ['/monitors/:id', 'Monitor', of(() => import('./deliverability/monitor-screen.js'), 'MonitorScreen')],
  ['/monitors/:id/reports', 'DMARC reports', of(() => import('./deliverability/reports-screen.js'), 'ReportsScreen')],
  [
    '/monitors/:id/tls-reports',
    'TLS reports',
    of(() => import('./deliverability/tls-reports-screen.js'), 'TlsReportsScreen'),
  ],
  ['/placement', 'Placement tests', of(() => import('./deliverability/placement-screen.js'), 'PlacementScreen')],
  [
    '/placement/:id',
    'Placement test',
    of(() => import('./deliverability/placement-test-screen.js'), 'PlacementTestScreen'),
  ],
  [
    '/placement/:id/compare',
    'Two placement tests',
    of(() => import('./deliverability/compare-screen.js'), 'CompareScreen'),
  ],
];

const ACCOUNT: readonly Row[] = [
  ['/keys', 'Keys', of(() => import('./account/keys-screen.js'), 'KeysScreen'), 'keys'],
  ['/credits', 'Credits and usage', of(() => import('./account/credits-screen.js'), 'CreditsScreen'), 'credits'],
  ['/webhooks', 'Webhooks', of(() => import('./account/webhooks-screen.js'), 'WebhooksScreen'), 'webhooks'],
  ['/webhooks/:id', 'Endpoint', of(() => import('./account/endpoint-screen.js'), 'EndpointScreen'), 'webhooks'],
  ['/deliveries/:id', 'Delivery', of(() => import('./account/deliveries.js'), 'DeliveryScreen'), 'webhooks'],
  ['/claim', 'Claim an agent', of(() => import('./account/claim-screen.js'), 'ClaimScreen'), 'keys'],
  [
    '/suppressions',
    'Suppressions',
    of(() => import('./account/suppressions-screen.js'), 'SuppressionsScreen'),
    'suppressions',
  ],
  ['/privacy', 'Privacy', of(() => import('./account/privacy-screen.js'), 'PrivacyScreen'), 'results', 'suppressions'],
  ['/connect', 'Connect', of(() => import('./account/connect-screen.js'), 'ConnectScreen')],
];

const ADMINISTRATION: readonly Row[] = [
  ['/search', 'Search', of(() => import('./administration/search-screen.js'), 'SearchScreen')],
  ['/accounts', 'Accounts', of(() => import('./administration/accounts-screen.js'), 'AccountsScreen')],
  ['/accounts/:id', 'Account', of(() => import('./administration/account-screen.js'), 'AccountScreen')],
  ['/agents', 'Agents', of(() => import('./administration/agents-screen.js'), 'AgentsScreen')],
  ['/all-batches', 'Batches', of(() => import('./administration/work-screens.js'), 'AllBatchesScreen')],
  ['/all-deliveries', 'Deliveries', of(() => import('./administration/work-screens.js'), 'AllDeliveriesScreen')],
  ['/all-monitors', 'Monitors', of(() => import('./administration/all-monitors-screen.js'), 'AllMonitorsScreen')],
  ['/watched-lists', 'Block lists', of(() => import('./administration/watched-lists-screen.js'), 'WatchedListsScreen')],
  ['/seeds', 'Seed mailboxes', of(() => import('./administration/seeds-screen.js'), 'SeedsScreen')],
  ['/operators', 'Mail operators', of(() => import('./administration/operators-screen.js'), 'OperatorsScreen')],
  ['/egress', 'Egress', of(() => import('./administration/egress-screen.js'), 'EgressScreen')],
  ['/health', 'Health', of(() => import('./administration/health-screen.js'), 'HealthScreen')],
  ['/audit', 'Audit', of(() => import('./administration/audit-screen.js'), 'AuditScreen')],
];

/** Every screen, loaded when it is opened. The first one of an audience is its home. */
const SCREENS: readonly Screen[] = [
  ...screensOf('Verify', ['customer'], VERIFY),
  ...screensOf(
    'Verify',
    ['agent'],
    [['/agent', 'This agent', of(() => import('./verify/agent-screen.js'), 'AgentScreen')]],
  ),
  ...screensOf('Deliverability', ['customer'], DELIVERABILITY, 'deliverability'),
  ...screensOf('Account', ['customer'], ACCOUNT),
  ...screensOf('Administration', ['admin'], ADMINISTRATION),
  ...screensOf(
    'You',
    ['customer', 'agent', 'admin'],
    [['/you', 'This session', of(() => import('./account/session-screen.js'), 'SessionScreen')]],
  ),
];

export function screensFor(audience: Audience): readonly Screen[] {
  return SCREENS.filter((screen) => screen.for.includes(audience));
}
