import { SEVERITIES, TARGET_KINDS } from '../../mail-dns/blacklist-row.js';
import { field, Reply, replyOf } from '../../platform/http/reply.js';
import type { WatchedList } from '../blacklist-administration.service.js';

const WHY = field.textOrNull({ example: 'public_resolver' });
const STATE = field.oneOf<string>(['healthy', 'refused', 'unhealthy', 'silent']);

export class ListHealthReply extends Reply({
  kind: field.oneOf(TARGET_KINDS),
  state: STATE,
  why: WHY,
  since: field.time(),
  tested_at: field.time(),
}) {}

export class ListHealthChangeReply extends Reply({
  kind: field.oneOf(TARGET_KINDS),
  state: STATE,
  why: WHY,
  at: field.time(),
}) {}

export class WatchedListReply extends Reply({
  id: field.text({ example: 'psbl', description: 'A row of `config/blacklists.json`.' }),
  name: field.text(),
  severity: field.oneOf(SEVERITIES),
  configured: field.boolean('Whether this installation may ask it, by keys and terms.'),
  off: field.boolean('An administrator has turned it off: nobody asks it.'),
  reason: field.textOrNull('Why it is off.'),
  off_by: field.textOrNull('Who has turned it off.'),
  off_since: field.timeOrNull(),
  health: field.listOf(ListHealthReply, 'What its test points have shown last, by kind of targets.'),
  history: field.listOf(ListHealthChangeReply, 'Changes of its health in 90 days, newest first, at most 20.'),
}) {}

export class WatchedListsReply extends Reply({ blacklists: field.listOf(WatchedListReply) }) {}

const MAX_CHANGES = 20;

export function watchedListReply({ known, healths, off, history }: WatchedList): WatchedListReply {
  const { list, access } = known;
  return replyOf(WatchedListReply, {
    ...list,
    configured: 'open' in access,
    off: off !== null,
    reason: off?.reason ?? null,
    offBy: off?.by ?? null,
    offSince: off?.since ?? null,
    health: healths.map(({ kind, health }) => replyOf(ListHealthReply, { ...health, kind })),
    history: history.slice(0, MAX_CHANGES).map((change) => replyOf(ListHealthChangeReply, change)),
  });
}
