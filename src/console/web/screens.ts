import type { AnyComponent } from 'preact';
import { lazy } from 'preact-iso';
import type { Audience } from './session/session.js';

/** The headings of the navigation, in their order; the first screen has none. */
export const GROUPS = ['', 'Verify', 'Deliverability', 'Account', 'Administration', 'You'] as const;

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

type Row<Path extends string> = readonly [path: Path, title: string, ...needs: string[]];

/**
 * @param load the table of the components, which may have more of them than rows name
 * @param shared the permissions of a key without all of which none of them is shown
 */
function screensOf<Path extends string>(
  group: (typeof GROUPS)[number],
  who: readonly Audience[],
  load: () => Promise<Readonly<Record<Path, AnyComponent>>>,
  rows: readonly Row<Path>[],
  ...shared: string[]
) {
  return rows.map(([path, title, ...needs]): Screen => ({
    path: `/console${path}`,
    title,
    group: path.includes(':') ? null : group,
    for: who,
    needs: [...shared, ...needs],
    component: lazy(async (): Promise<AnyComponent> => (await load())[path]),
  }));
}

/*
 * What is opened together has one table of its components, and so one script: one for each screen would be a file of a line each, and
 * all of them together a twentieth of what a browser may load.
 */
const ofVerify = async () => (await import('./verify/screens.js')).SCREENS;
const ofDeliverability = async () => (await import('./deliverability/screens.js')).SCREENS;
const ofAccount = async () => (await import('./account/screens.js')).SCREENS;
const ofAdministration = async () => (await import('./administration/screens.js')).SCREENS;
const home = async () => ({ '/home': (await import('./account/home-screen.js')).HomeScreen });
const agent = async () => ({ '/agent': (await import('./verify/agent-screen.js')).AgentScreen });
const you = async () => ({ '/you': (await import('./account/session-screen.js')).SessionScreen });

/** Every screen, loaded when it is opened. The first one of an audience is its home. */
const ALL: readonly Screen[] = [
  ...screensOf('', ['customer'], home, [['/home', 'Home']]),
  ...screensOf('', ['admin'], ofAdministration, [['/home', 'Home']]),
  ...screensOf('Verify', ['customer'], ofVerify, [
    ['/check', 'Check an address', 'verify'],
    ['/upload', 'New list', 'batches'],
    ['/batches', 'Lists', 'batches'],
    ['/batches/:id', 'List', 'batches'],
    ['/schedules', 'Schedules', 'lists'],
    ['/finder', 'Finder', 'finder'],
    ['/searches/:id', 'Search', 'finder'],
  ]),
  ...screensOf('Verify', ['agent'], agent, [['/agent', 'This agent']]),
  ...screensOf(
    'Deliverability',
    ['customer'],
    ofDeliverability,
    [
      ['/domains', 'Domain check'],
      ['/domains/:id', 'Domain check'],
      ['/blacklists', 'Block lists'],
      ['/blacklists/:id', 'Block lists'],
      ['/monitors', 'Monitors'],
      ['/monitors/:id', 'Monitor'],
      ['/monitors/:id/reports', 'DMARC reports'],
      ['/monitors/:id/tls-reports', 'TLS reports'],
      ['/placement', 'Placement tests'],
      ['/placement/:id', 'Placement test'],
      ['/placement/:id/compare', 'Two placement tests'],
    ],
    'deliverability',
  ),
  ...screensOf('Account', ['customer'], ofAccount, [
    ['/keys', 'Keys', 'keys'],
    ['/credits', 'Credits and usage', 'credits'],
    ['/webhooks', 'Webhooks', 'webhooks'],
    ['/webhooks/:id', 'Endpoint', 'webhooks'],
    ['/deliveries/:id', 'Delivery', 'webhooks'],
    ['/claim', 'Claim an agent', 'keys'],
    ['/suppressions', 'Suppressions', 'suppressions'],
    ['/privacy', 'Privacy', 'results', 'suppressions'],
    ['/connect', 'Connect'],
  ]),
  ...screensOf('Administration', ['admin'], ofAdministration, [
    ['/search', 'Search'],
    ['/accounts', 'Accounts'],
    ['/accounts/:id', 'Account'],
    ['/agents', 'Agents'],
    ['/all-batches', 'Batches'],
    ['/all-deliveries', 'Deliveries'],
    ['/all-monitors', 'Monitors'],
    ['/watched-lists', 'Block lists'],
    ['/seeds', 'Seed mailboxes'],
    ['/operators', 'Mail operators'],
    ['/egress', 'Egress'],
    ['/health', 'Health'],
    ['/audit', 'Audit'],
  ]),
  ...screensOf('You', ['customer', 'agent', 'admin'], you, [['/you', 'This session']]),
];

export function screensFor(audience: Audience): readonly Screen[] {
  return ALL.filter((screen) => screen.for.includes(audience));
}
