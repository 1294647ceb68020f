import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

import { readReplySet } from '../../test/corpus/smtp-corpus.js';
import { isKept, measureAccuracy, measureSet, type Accuracy, type Measured } from './measure.js';
import { QUESTIONS, shareOfPeer } from './peer-shares.js';
import { PEERS } from './peers.js';
import { repliesTable, tablesOf, withFigures } from './report.js';
import { wilsonInterval, type Share } from './share.js';

const PAGE = 'docs/accuracy.md';

const values = optionsOf();
if (values === null || values.help) {
  console.log(`npm run accuracy -- [--set FILE] [--json | --write]

How often verdicts are right: labelled replies of mail servers are replayed to the engine over DNS packets and SMTP
dialogues on loopback; addresses, typing slips and providers are put to their parts of it. ${PAGE} explains the sets.
Each share has its 95% confidence interval behind it. Exits with 1 when a promise is missed.

  --set FILE  measures the labelled replies of this file alone; it has the shape of test/corpus/smtp-replies-labelled.json
  --json      the figures for programs, with each reply that got another verdict than the wanted one
  --write     puts the figures into ${PAGE}`);
  process.exit(values === null ? 2 : 0);
}

if (values.records === undefined) {
  const accuracy = await measureAccuracy();
  tell(accuracy.replies, figures(accuracy), Object.values(tablesOf(accuracy)).join('\n\n'));
  if (values.write) writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), accuracy));
} else {
  const { set, records } = values;
  const replies = await measureSet(set, records);
  tell(replies, { replies: figuresOfReplies(replies) }, repliesTable(set, records.length, replies));
}

function tell(replies: readonly Measured[], forPrograms: object, tables: string): void {
  console.log(values?.json ? JSON.stringify(forPrograms, null, 2) : tables);
  if (replies.some((measured) => isKept(measured) === false)) process.exitCode = 1;
}

/** Null, and the fault on standard error, when there are no such options or no such file. */
function optionsOf() {
  try {
    const options = {
      help: { type: 'boolean' },
      json: { type: 'boolean' },
      set: { type: 'string' },
      write: { type: 'boolean' },
    } as const;
    const { set, ...given } = parseArgs({ options }).values;
    if (set === undefined) return { ...given, records: undefined };
    if (given.write) throw new Error(`${PAGE} has no place for the figures of another set`);
    return { ...given, set: basename(set), records: readReplySet(set) };
  } catch (error) {
    console.error((error as Error).message);
    return null;
  }
}

function figures({ replies, syntax, suggestions, falselyDisposable }: Accuracy) {
  return {
    replies: figuresOfReplies(replies),
    peers: PEERS.flatMap((peer) =>
      QUESTIONS.map((question) => {
        const share = shareOfPeer(peer, question);
        return {
          engine: peer.name,
          reply: question.title,
          ...(share === null ? { told: false } : withInterval(share)),
        };
      }),
    ),
    syntax: { read: withInterval(syntax.read), refused: withInterval(syntax.refused) },
    suggestions: Object.fromEntries(Object.entries(suggestions).map(([name, share]) => [name, withInterval(share)])),
    falselyDisposable: withInterval(falselyDisposable),
  };
}

function figuresOfReplies(replies: readonly Measured[]) {
  return replies.map((measured) => ({
    set: measured.set,
    way: measured.way,
    reply: measured.measure.what,
    host: measured.measure.world.name,
    ...withInterval(measured.share),
    promised: measured.measure.promised,
    kept: isKept(measured),
    missed: measured.missed.map(({ record, verification }) => ({
      reply: record.reply,
      verdict: verification.verdict,
      reason: verification.reason,
    })),
  }));
}

function withInterval(share: Share) {
  return { ...share, interval95: wilsonInterval(share) };
}
