import type { Account } from '../session/api.js';

type Diff = Account['schemas']['MonitorDiffReply'];

export interface DiffLine {
  readonly sign: '+' | '-';
  readonly text: string;
}

/** Records and listings that one look has and the other has not; of a record with several values only those that differ. */
export function diffLines(
  diff: Pick<Diff, 'records_added' | 'records_removed' | 'records_changed' | 'listings_changed'>,
): DiffLine[] {
  const record = (sign: DiffLine['sign'], name: string, type: string, value: string): DiffLine => ({
    sign,
    text: `${name} ${type} ${value}`,
  });
  return [
    ...diff.records_removed.map(({ name, type, value }) => record('-', name, type, value)),
    ...diff.records_added.map(({ name, type, value }) => record('+', name, type, value)),
    ...diff.records_changed.flatMap(({ name, type, before, after }) => [
      ...before.filter((value) => !after.includes(value)).map((value) => record('-', name, type, value)),
      ...after.filter((value) => !before.includes(value)).map((value) => record('+', name, type, value)),
    ]),
    ...diff.listings_changed.flatMap(({ list, target, before, after }) => [
      { sign: '-', text: `${list}: ${target} ${labelOf(before)}` } as const,
      { sign: '+', text: `${list}: ${target} ${labelOf(after)}` } as const,
    ]),
  ];
}

const labelOf = (status: string | null): string => status?.replaceAll('_', ' ') ?? 'not asked';
