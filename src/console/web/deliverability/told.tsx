import { Facts } from '../parts/facts.js';
import { count } from '../parts/figures.js';
import { Table } from '../parts/paged-table.js';

/** More rows than these nobody reads; the reply has them all. */
const MAX_ROWS = 100;

/** In a narrow column it would be as tall as the window. */
const LONG = 60;
/** Words such as names of headers stand behind one another, records below. */
const SHORT_WORD = 30;

const WORD = /^[a-z]+(_[a-z]+)+$/;

type Told = Readonly<Record<string, unknown>>;

/** Written as the standards write them. */
const SHORT = ['spf', 'dkim', 'dmarc', 'arc', 'helo', 'tls', 'url', 'html', 'ip', 'id', 'ptr', 'dns', 'dnssec'];

/** Such as `Policy domain`, and `SPF`. */
function wordsOf(name: string): string {
  const words = name.split('_').map((word) => (SHORT.includes(word) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
const isObject = (value: unknown): value is Told =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whatever the service tells of something, name by name: a part that it learns to tell is shown without anybody writing a screen. */
export function ToldFacts({ of, label }: { readonly of: Told; readonly label: string }) {
  const entries = Object.entries(of);
  const tables = entries.filter(([, value]) => Array.isArray(value) && value.some(isObject));
  const parts = entries.filter(([, value]) => isObject(value));
  const facts = entries.filter((entry) => !tables.includes(entry) && !parts.includes(entry));
  return (
    <>
      <Facts of={{}} more={facts.map(([name, value]) => [wordsOf(name), <Value key={name} of={value} />])} />
      {parts.map(([name, value]) => (
        <div key={name} class="below">
          <h3>{wordsOf(name)}</h3>
          <ToldFacts of={value as Told} label={`${label}: ${wordsOf(name)}`} />
        </div>
      ))}
      {tables.map(([name, value]) => (
        <ToldRows key={name} rows={value as Told[]} label={`${label}: ${wordsOf(name)}`} title={wordsOf(name)} />
      ))}
    </>
  );
}

interface ToldRowsProps {
  readonly rows: readonly Told[];
  readonly label: string;
  readonly title: string;
}

function ToldRows({ rows, label, title }: ToldRowsProps) {
  const shown = rows.filter(isObject).slice(0, MAX_ROWS);
  const names = [...new Set(shown.flatMap((row) => Object.keys(row)))];
  return (
    <div class="below">
      <h3>{title}</h3>
      <Table<{ row: Told; place: number }>
        label={label}
        rows={shown.map((row, place) => ({ row, place }))}
        keyOf={({ place }) => place}
        columns={names.map((name) => ({ name: wordsOf(name), cell: ({ row }) => <Value of={row[name]} /> }))}
      />
    </div>
  );
}

/** In a word that says whether it is well, where the service has one; else as it is. */
function Value({ of }: { readonly of: unknown }) {
  if (of === null || of === undefined || of === '') return <span class="hint">–</span>;
  if (typeof of === 'boolean') return <>{of ? 'yes' : 'no'}</>;
  if (of === 'pass') return <span class="valid">pass</span>;
  if (of === 'fail') return <span class="invalid">fail</span>;
  const text = Array.isArray(of) ? textOfAll(of) : textOf(of);
  return <span class={`mono lines ${text.length > LONG ? 'wide' : ''}`}>{text}</span>;
}

function textOfAll(values: readonly unknown[]): string {
  const texts = values.map(textOf);
  return texts.join(texts.every((text) => text.length <= SHORT_WORD) ? ', ' : '\n') || '–';
}

/** A word of the service reads as words; what others have written stays as it is. */
const textOf = (value: unknown): string => {
  if (typeof value !== 'string') return typeof value === 'number' ? count(value) : JSON.stringify(value);
  return WORD.test(value) ? value.replaceAll('_', ' ') : value;
};
