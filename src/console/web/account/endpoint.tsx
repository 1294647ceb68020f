import type { Account } from '../session/api.js';

export type Endpoint = Account['schemas']['WebhookReply'];
export type Delivery = Account['schemas']['DeliveryReply'];

type Event = Endpoint['events'][number];

/** The compiler asks for every event that the documents name. */
const KNOWN: Readonly<Record<Event, true>> = {
  'batch.completed': true,
  'batch.failed': true,
  'batch.cancelled': true,
  'list.changed': true,
  'verification.corrected': true,
  'credits.low': true,
  'monitor.changed': true,
  'monitor.stalled': true,
  'blacklist.listed': true,
  'blacklist.delisted': true,
  'placement.completed': true,
  'placement.expired': true,
  'dmarc.source_appeared': true,
};

export const EVENTS = Object.keys(KNOWN) as readonly Event[];

const DISABLED: Readonly<Record<string, string>> = {
  owner: 'you switched it off',
  gone: 'it answered 410 Gone',
  failing: 'it has failed for days',
};

/** Why nothing is sent there; null while it is. */
export const disabledBecause = ({ enabled, disabled_reason: reason }: Endpoint): string | null =>
  enabled ? null : (DISABLED[reason ?? ''] ?? 'it is switched off');

export function EndpointState({ of }: { readonly of: Endpoint }) {
  if (!of.enabled) return <span class="badge invalid">off: {disabledBecause(of)}</span>;
  if (of.failing_since !== null) return <span class="badge risky">failing</span>;
  if (of.confirmed_at === null) return <span class="badge unknown">not confirmed</span>;
  return <span class="badge valid">on</span>;
}

const STATES = { succeeded: 'valid', failed: 'invalid', pending: 'unknown' } as const;

export function DeliveryState({ state }: { readonly state: keyof typeof STATES }) {
  return <span class={`badge ${STATES[state]}`}>{state}</span>;
}
