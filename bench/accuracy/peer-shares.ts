import { REPLY_SETS } from '../../test/corpus/smtp-corpus.js';
import { MEASURES, type Measure } from './measure.js';
import { judgeAsPeer, type Peer, type PeerAnswer } from './peers.js';
import { shareOf, type Share } from './share.js';

/** What can be asked of every engine: a measure of ours, and the answers of others that are hits in it. */
export interface Question {
  readonly title: string;
  readonly measure: Measure;
  readonly hits: readonly PeerAnswer[];
  /** What an engine has to tell to be asked. */
  readonly told?: Peer['tells'][number];
}

/** A disabled mailbox is an invalid address to every engine that tells it. */
export const QUESTIONS: readonly Question[] = [
  { title: 'refuses us: invalid', measure: MEASURES.refusedBesidePostmaster, hits: ['invalid', 'disabled'] },
  { title: 'no such mailbox: invalid', measure: MEASURES.notFound, hits: ['invalid', 'disabled'] },
  { title: 'full: told', measure: MEASURES.full, hits: ['full'], told: 'full' },
  { title: 'disabled: told', measure: MEASURES.disabled, hits: ['disabled'], told: 'disabled' },
];

/** Over all sets together; null for what the engine does not tell. */
export function shareOfPeer(peer: Peer, { measure, hits, told }: Question): Share | null {
  if (told !== undefined && !peer.tells.includes(told)) return null;
  const records = Object.values(REPLY_SETS).flat().filter(measure.isOf);
  return shareOf(records, (record) => hits.includes(judgeAsPeer(peer, record, measure.world)));
}
