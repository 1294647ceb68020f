import type { AnyComponent } from 'preact';
import { lazy } from 'preact-iso';
import type { Audience } from './session/session.js';

/** The headings of the navigation, in their order. */
export const GROUPS = ['Verify', 'Deliverability', 'Account', 'Administration', 'You'] as const;

export interface Screen {
  /** Below `/console`, and neither `/session` nor `/assets`, which are there already; `:id` stands for what is looked at. */
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

/** @param shared the permissions of a key without all of which none of them is shown */
function screensOf(
  group: (typeof GROUPS)[number],
  who: readonly Audience[],
  rows: readonly Row[],
  ...shared: string[]
) {
  return rows.map(([path, title, load, ...needs]): Screen => ({
    path,
    title,
    group: path.includes(':') ? null : group,
    for: who,
    needs: [...shared, ...needs],
    component: lazy(load),
  }));
}

const VERIFY: readonly Row[] = [
  ['/check', 'Check an address', async () => (await import('./verify/check-screen.js')).CheckScreen, 'verify'],
  ['/upload', 'New list', async () => (await import('./verify/upload-screen.js')).UploadScreen, 'batches'],
  ['/batches', 'Lists', async () => (await import('./verify/batch-screen.js')).BatchListScreen, 'batches'],
  ['/batches/:id', 'List', async () => (await import('./verify/batch-screen.js')).BatchScreen, 'batches'],
  ['/schedules', 'Schedules', async () => (await import('./verify/schedules-screen.js')).SchedulesScreen, 'lists'],
  ['/finder', 'Finder', async () => (await import('./verify/finder-screen.js')).FinderScreen, 'finder'],
  [
    '/searches/:id',
    'Search',
    async () => (await import('./verify/people-search-screen.js')).PeopleSearchScreen,
    'finder',
  ],
];

const AGENT: readonly Row[] = [
  ['/agent', 'This agent', async () => (await import('./verify/agent-screen.js')).AgentScreen],
];

const DELIVERABILITY: readonly Row[] = [
  ['/domains', 'Domain check', async () => (await import('./deliverability/domains-screen.js')).DomainsScreen],
  ['/domains/:id', 'Domain check', async () => (await import('./deliverability/domains-screen.js')).DomainCheckScreen],
  ['/blacklists', 'Block lists', async () => (await import('./deliverability/blacklists-screen.js')).BlacklistsScreen],
  [
    '/blacklists/:id',
    'Block lists',
    async () => (await import('./deliverability/blacklists-screen.js')).ListCheckScreen,
  ],
  ['/monitors', 'Monitors', async () => (await import('./deliverability/monitors-screen.js')).MonitorsScreen],
  ['/monitors/:id', 'Monitor', async () => (await import('./deliverability/monitor-screen.js')).MonitorScreen],
  [
    '/monitors/:id/reports',
    'DMARC reports',
    async () => (await import('./deliverability/reports-screen.js')).ReportsScreen,
  ],
  [
    '/monitors/:id/tls-reports',
    'TLS reports',
    async () => (await import('./deliverability/tls-reports-screen.js')).TlsReportsScreen,
  ],
  ['/placement', 'Placement tests', async () => (await import('./deliverability/placement-screen.js')).PlacementScreen],
  [
    '/placement/:id',
    'Placement test',
    async () => (await import('./deliverability/placement-test-screen.js')).PlacementTestScreen,
  ],
  [
    '/placement/:id/compare',
    'Two placement tests',
    async () => (await import('./deliverability/compare-screen.js')).CompareScreen,
  ],
];

const ACCOUNT: readonly Row[] = [
  ['/keys', 'Keys', async () => (await import('./account/keys-screen.js')).KeysScreen, 'keys'],
  ['/credits', 'Credits and usage', async () => (await import('./account/credits-screen.js')).CreditsScreen, 'credits'],
  ['/webhooks', 'Webhooks', async () => (await import('./account/webhooks-screen.js')).WebhooksScreen, 'webhooks'],
  ['/webhooks/:id', 'Endpoint', async () => (await import('./account/endpoint-screen.js')).EndpointScreen, 'webhooks'],
  ['/deliveries/:id', 'Delivery', async () => (await import('./account/deliveries.js')).DeliveryScreen, 'webhooks'],
  ['/claim', 'Claim an agent', async () => (await import('./account/claim-screen.js')).ClaimScreen, 'keys'],
  [
    '/suppressions',
    'Suppressions',
    async () => (await import('./account/suppressions-screen.js')).SuppressionsScreen,
    'suppressions',
  ],
  [
    '/privacy',
    'Privacy',
    async () => (await import('./account/privacy-screen.js')).PrivacyScreen,
    'results',
    'suppressions',
  ],
  ['/connect', 'Connect', async () => (await import('./account/connect-screen.js')).ConnectScreen],
];

const ADMINISTRATION: readonly Row[] = [
  ['/search', 'Search', async () => (await import('./administration/search-screen.js')).SearchScreen],
  ['/accounts', 'Accounts', async () => (await import('./administration/accounts-screen.js')).AccountsScreen],
  ['/accounts/:id', 'Account', async () => (await import('./administration/account-screen.js')).AccountScreen],
  ['/agents', 'Agents', async () => (await import('./administration/agents-screen.js')).AgentsScreen],
  ['/all-batches', 'Batches', async () => (await import('./administration/work-screens.js')).AllBatchesScreen],
  ['/all-deliveries', 'Deliveries', async () => (await import('./administration/work-screens.js')).AllDeliveriesScreen],
  [
    '/all-monitors',
    'Monitors',
    async () => (await import('./administration/all-monitors-screen.js')).AllMonitorsScreen,
  ],
  [
    '/watched-lists',
    'Block lists',
    async () => (await import('./administration/watched-lists-screen.js')).WatchedListsScreen,
  ],
  ['/seeds', 'Seed mailboxes', async () => (await import('./administration/seeds-screen.js')).SeedsScreen],
  ['/operators', 'Mail operators', async () => (await import('./administration/operators-screen.js')).OperatorsScreen],
  ['/egress', 'Egress', async () => (await import('./administration/egress-screen.js')).EgressScreen],
  ['/health', 'Health', async () => (await import('./administration/health-screen.js')).HealthScreen],
  ['/audit', 'Audit', async () => (await import('./administration/audit-screen.js')).AuditScreen],
];

const SESSION: readonly Row[] = [
  ['/you', 'This session', async () => (await import('./account/session-screen.js')).SessionScreen],
];

/** Every screen, loaded when it is opened. The first one of an audience is its home. */
const SCREENS: readonly Screen[] = [
  ...screensOf('Verify', ['customer'], VERIFY),
  ...screensOf('Verify', ['agent'], AGENT),
  ...screensOf('Deliverability', ['customer'], DELIVERABILITY, 'deliverability'),
  ...screensOf('Account', ['customer'], ACCOUNT),
  ...screensOf('Administration', ['admin'], ADMINISTRATION),
  ...screensOf('You', ['customer', 'agent', 'admin'], SESSION),
];

export function screensFor(audience: Audience): readonly Screen[] {
  return SCREENS.filter((screen) => screen.for.includes(audience));
}
