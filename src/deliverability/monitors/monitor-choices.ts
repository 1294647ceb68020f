import { readDomain, readSenders } from '../domains/sender-fields.js';
import { readTarget } from '../../mail-dns/targets.js';
import { counted } from '../../platform/counted.js';
import type { KeyPolicy } from '../../platform/config/policies.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { isStorable, NOT_STORABLE } from '../../platform/http/fields.js';
import type { Monitor, MonitorKind, MonitorSettings } from './findings/monitor.js';

/** What a caller chooses; undefined: it is left out. */
export type MonitorChoices = {
  readonly [Member in Exclude<keyof MonitorSettings, 'mutedLists'>]?: MonitorSettings[Member] | null | undefined;
};

/** From one run to the next, where the plan allows it. */
export const DEFAULT_MINUTES = 60;

export const DEFAULT_SETTINGS: MonitorSettings = {
  checks: null,
  dkimSelectors: [],
  sendingAddresses: [],
  alertFrom: 'warning',
  notifyFirst: false,
};

/** The stored form of a target. @throws AppError `invalid_input` */
export function readMonitorTarget(kind: MonitorKind, text: string, simulated: boolean): string {
  if (!isStorable(text)) throw invalidField('target', NOT_STORABLE);
  if (kind === 'domain') return readDomain(text, 'target');
  const target = readTarget(text, simulated);
  if (typeof target !== 'string' && target.kind !== 'domain') return target.value;
  const isPrivate = target === 'private';
  throw invalidField('target', isPrivate ? 'is an address that is not public' : 'must be an IPv4 or IPv6 address');
}

/** The settings after a change; what is left out stays. @throws AppError `invalid_input` */
export function settingsAfter(
  kind: MonitorKind,
  before: MonitorSettings,
  wanted: MonitorChoices,
  simulated: boolean,
): MonitorSettings {
  const { checks, dkimSelectors, sendingAddresses, alertFrom, notifyFirst } = wanted;
  if (kind === 'address') {
    if (checks?.some((area) => area !== 'blacklists'))
      throw invalidField('checks', 'must be blacklists for an address');
    if ((dkimSelectors ?? []).length > 0) throw invalidField('dkim_selectors', 'belong to a domain');
    if ((sendingAddresses ?? []).length > 0) throw invalidField('sending_addresses', 'belong to a domain');
  }
  return {
    checks: checks === undefined ? before.checks : checks && [...new Set(checks)],
    dkimSelectors: dkimSelectors === undefined ? before.dkimSelectors : [...new Set(dkimSelectors ?? [])],
    sendingAddresses:
      sendingAddresses === undefined ? before.sendingAddresses : readSenders(sendingAddresses ?? [], simulated),
    alertFrom: alertFrom ?? before.alertFrom,
    notifyFirst: notifyFirst ?? before.notifyFirst,
    ...(before.mutedLists && { mutedLists: before.mutedLists }),
  };
}

/** Why it is paused; null: it is not, or nobody has said why. */
export function pauseText(
  { paused, pausedWhy }: Pick<Monitor, 'paused' | 'pausedWhy'>,
  { monitors }: KeyPolicy,
): string | null {
  if (paused !== 'plan') return pausedWhy;
  return `The account's plan allows ${counted(monitors, 'monitor')}, and older ones take that room. This one goes on by itself as soon as enough of them are deleted or paused, or the plan allows more.`;
}

/** @throws AppError `plan_limit_reached` */
export function checkInterval(minutes: number, { monitorMinutes }: KeyPolicy): void {
  if (minutes < monitorMinutes)
    throw new AppError('plan_limit_reached', {
      message: `The account's plan allows an interval of ${monitorMinutes} minutes or more.`,
    });
}
