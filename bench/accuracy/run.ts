import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { isKept, measureAccuracy, type Accuracy } from './measure.js';
import { QUESTIONS, shareOfPeer } from './peer-shares.js';
import { PEERS } from './peers.js';
import { tablesOf, withFigures } from './report.js';
import { wilsonInterval, type Share } from './share.js';

const PAGE = 'docs/accuracy.md';

const values = optionsOf();
if (values === null || values.help) {
  console.log(`npm run accuracy -- [--json | --write]

How often verdicts are right: labelled replies of mail servers are replayed to the engine over DNS packets and SMTP
dialogues on loopback; addresses, typing slips and providers are put to their parts of it. ${PAGE} explains the sets.
Each share has its 95% confidence interval behind it. Exits with 1 when a promise is missed.

  --json   the figures for programs, with each reply that got another verdict than the wanted one
  --write  puts the figures into ${PAGE}`);
  process.exit(values === null ? 2 : 0);
}

const accuracy = await measureAccuracy();
if (values.json) console.log(JSON.stringify(figures(accuracy), null, 2));
else console.log(Object.values(tablesOf(accuracy)).join('\n\n'));
if (values.write) writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), accuracy));
if (accuracy.replies.some((measured) => isKept(measured) === false)) process.exitCode = 1;

/** Null, and the fault on standard error, when there is no such option. */
function optionsOf() {
  try {
    return parseArgs({
      options: { help: { type: 'boolean' }, json: { type: 'boolean' }, write: { type: 'boolean' } },
    }).values;
  } catch (error) {
    console.error((error as Error).message);
    return null;
  }
}

function figures({ replies, syntax, suggestions, falselyDisposable }: Accuracy) {
  const withInterval = (share: Share) => ({ ...share, interval95: wilsonInterval(share) });
  return {
    replies: replies.map((measured) => ({
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
    })),
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
