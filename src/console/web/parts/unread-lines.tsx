import { count, counted } from './values.js';

export interface UnreadLine {
  /** From 1, as an editor counts. */
  readonly number: number;
  readonly text: string;
}

interface UnreadLinesProps {
  readonly of: readonly UnreadLine[];
  /** What is wrong with each of them. */
  readonly why: string;
}

const MAX_SHOWN = 10;
const MAX_LENGTH = 60;

/** Lines of a person's text that are left out, so that each can be found and corrected. */
export function UnreadLines({ of: lines, why }: UnreadLinesProps) {
  if (lines.length === 0) return null;
  return (
    <div class="note" role="status">
      <p>
        {counted(lines.length, 'line')} left out ({why}):
      </p>
      <ul>
        {lines.slice(0, MAX_SHOWN).map(({ number, text }) => (
          <li key={number} class="wrap">
            Line {count(number)}: {text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text}
          </li>
        ))}
      </ul>
      {lines.length > MAX_SHOWN && <p>and {count(lines.length - MAX_SHOWN)} more.</p>}
    </div>
  );
}
