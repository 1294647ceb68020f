import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As it was: an array for each address, and a fact for each mail host. */
interface Before {
  facts: { mxHost: unknown; evidence: Record<string, unknown>; [member: string]: unknown }[];
  rows: [number, number, string | null, string | null, string | null, number, number, number][];
}

interface After {
  facts: Record<string, unknown>[];
  hosts: unknown[][];
  texts: (string | null)[];
  since: number;
  numbers: number[];
  names: Record<number, [string | null, string | null]>;
}

type Seven = [number, number, number, number, number, number, number];

const NUMBERS = 7;

export class StoreAnswersAsNumbers1795287600000 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return rewrite(runner, (text) => JSON.stringify(toNumbers(JSON.parse(text) as Before)));
  }

  down(runner: QueryRunner): Promise<void> {
    return rewrite(runner, (text) => JSON.stringify(toRows(JSON.parse(text) as After)));
  }
}

async function rewrite(runner: QueryRunner, change: (text: string) => string): Promise<void> {
  const keys = (await runner.query(
    `SELECT batch_id, chunk, round FROM batch_results JOIN batches ON id = batch_id WHERE kind = 'verify'`,
  )) as { batch_id: number; chunk: number; round: number }[];
  // One by one: all results of all batches do not fit into memory.
  for (const { batch_id, chunk, round } of keys) {
    const key = [batch_id, chunk, round];
    const where = 'WHERE (batch_id, chunk, round) = ($1, $2, $3)';
    const [row] = (await runner.query(`SELECT results FROM batch_results ${where}`, key)) as [{ results: string }];
    await runner.query(`UPDATE batch_results SET results = $4 ${where}`, [...key, change(row.results)]);
  }
}

function toNumbers({ facts, rows }: Before): After {
  const texts = [...new Set(rows.map((row) => row[4]))];
  const since = rows[0]?.[6] ?? 0;
  const names: After['names'] = {};
  const numbers = rows.flatMap(([offset, fact, normalized, didYouMean, text, at, checkedAt, latency]) => {
    if (normalized !== '' || didYouMean !== null) names[offset] = [normalized, didYouMean];
    return [offset, fact, fact, texts.indexOf(text), at - since, checkedAt - since, latency];
  });
  return {
    facts: facts.map(({ mxHost: _m, evidence: { mxHost: _h, mxAddress: _a, ...evidence }, ...fact }) => ({
      ...fact,
      ...evidence,
    })),
    hosts: facts.map(({ mxHost, evidence }) => [mxHost, evidence['mxHost'], evidence['mxAddress']]),
    texts,
    since,
    numbers,
    names,
  };
}

function toRows({ facts, hosts, texts, since, numbers, names }: After): Before {
  /** Pairs of fact and hosts. */
  const pairs = new Map<string, number>();
  const before: Before = { facts: [], rows: [] };
  for (let i = 0; i < numbers.length; i += NUMBERS) {
    const [offset, fact, host, text, at, checkedAt, latency] = numbers.slice(i, i + NUMBERS) as Seven;
    const key = `${fact} ${host}`;
    if (!pairs.has(key)) {
      const { stage, code, enhanced, fromCache, ...rest } = facts[fact]!;
      const [mxHost, evidenceHost, mxAddress] = hosts[host]!;
      const evidence = { stage, mxHost: evidenceHost, mxAddress, code, enhanced, fromCache };
      pairs.set(key, before.facts.push({ ...rest, mxHost, evidence }) - 1);
    }
    const [normalized, didYouMean] = names[offset] ?? ['', null];
    const times = [since + at, since + checkedAt, latency] as const;
    before.rows.push([offset, pairs.get(key)!, normalized, didYouMean, texts[text]!, ...times]);
  }
  return before;
}
