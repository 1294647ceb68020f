import { REPLY_SETS } from '../../test/corpus/smtp-corpus.js';
import { isKept, type Accuracy, type Measure, type Measured } from './measure.js';
import { QUESTIONS, shareOfPeer } from './peer-shares.js';
import { PEERS } from './peers.js';
import { WAYS } from './replay.js';
import { wilsonInterval, type Share } from './share.js';

/** The figures as Markdown tables, by the names of their places in docs/accuracy.md. */
export function tablesOf(accuracy: Accuracy): Readonly<Record<'replies' | 'peers' | 'others', string>> {
  const sets = Object.entries(REPLY_SETS);
  return {
    replies: sets.map(([set, records]) => repliesTable(set, records.length, accuracy.replies)).join('\n\n'),
    peers: peersTable(accuracy.replies),
    others: othersTable(accuracy),
  };
}

/** The page with these figures, and with where the rules of others were read, between the marks of their names. */
export function withFigures(page: string, accuracy: Accuracy): string {
  const blocks = Object.entries({ ...tablesOf(accuracy), rules: rulesOfPeers() });
  return blocks.reduce((text, [name, block]) => {
    const place = new RegExp(`(?<=<!-- ${name} -->\\n)[^]*?(?=<!-- /${name} -->)`);
    return text.replace(place, () => `${block}\n`);
  }, page);
}

export function repliesTable(set: string, count: number, all: readonly Measured[]): string {
  const ofSet = all.filter((measured) => measured.set === set);
  const rows = [...new Set(ofSet.map(({ measure }) => measure))].map((measure) => {
    const cells = WAYS.map((way) => {
      const measured = ofSet.find((one) => one.measure === measure && one.way === way)!;
      return shown(measured.share) + (isKept(measured) === false ? ' **missed**' : '');
    });
    return [measure.what, measure.world.name, promiseOf(measure), ...cells];
  });
  return `\`${set}\`, ${count} replies:\n\n${table(['the reply', 'the host', 'promised', ...WAYS], rows)}`;
}

function promiseOf({ isWanted, promised }: Measure): string {
  return promised === undefined ? '' : `${isWanted ? 'at least' : 'at most'} ${promised * 100}%`;
}

function peersTable(all: readonly Measured[]): string {
  const ours = ['**Mailsonde**, single', ...QUESTIONS.map(({ measure }) => shown(ourShare(all, measure)))];
  const theirs = PEERS.map((peer) => {
    const cells = QUESTIONS.map((question) => shareOfPeer(peer, question));
    return [`${peer.name} ${peer.version}`, ...cells.map((share) => (share === null ? 'not told' : shown(share)))];
  });
  return table(['engine', ...QUESTIONS.map(({ title }) => title)], [ours, ...theirs]);
}

function ourShare(all: readonly Measured[], measure: Measure): Share {
  const parts = all.filter((measured) => measured.measure === measure && measured.way === 'single');
  return parts.reduce((sum, { share }) => ({ hits: sum.hits + share.hits, of: sum.of + share.of }), { hits: 0, of: 0 });
}

function rulesOfPeers(): string {
  const rows = PEERS.map(({ name, version, commit, repository, files, licence }) => {
    const links = files.map((file) => `[${file}](${repository}/blob/${commit}/${file})`);
    return `- ${name} ${version} (${licence}): ${links.join(', ')}`;
  });
  return rows.join('\n');
}

function othersTable({ syntax, suggestions, falselyDisposable }: Accuracy): string {
  return table(
    ['what', 'share'],
    [
      ['well-formed addresses that are read, with the right normal form', shown(syntax.read)],
      ['malformed addresses that are refused, for the right fault', shown(syntax.refused)],
      ['typing slips in names of five letters and more: the right domain suggested', shown(suggestions.longNames)],
      ['typing slips in shorter names: the right domain suggested', shown(suggestions.shortNames)],
      ['suggestions for slips: another domain than the one meant', shown(suggestions.wrong)],
      ["providers' domains, misspelt ones included: another one suggested", shown(suggestions.meddling)],
      ['common mailbox providers that are called disposable', shown(falselyDisposable)],
    ],
  );
}

function shown(share: Share): string {
  const [low, high] = wilsonInterval(share).map((bound) => (bound * 100).toFixed(1));
  const percent = share.of === 0 ? '' : ` ${((share.hits / share.of) * 100).toFixed(1)}%`;
  return `${share.hits} of ${share.of}:${percent} (${low}–${high})`;
}

/** Padded, so that it can be read in a terminal. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]!.length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}
