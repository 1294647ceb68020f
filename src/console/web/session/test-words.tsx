import { session } from './session.js';

/** Words that decide in test mode what becomes of an address (docs/test-mode.md). */
export const TEST_WORDS = [
  'valid',
  'invalid',
  'catch-all',
  'disposable',
  'role',
  'full',
  'disabled',
  'greylisted',
  'timeout',
  'blocked',
  'spam-trap',
  'no-mx',
  'null-mx',
  'unreachable',
] as const;

export const testAddress = (word: string): string => `jane+${word}@example.com`;

interface TestWordsProps {
  readonly words: readonly string[];
  readonly onPick: (word: string) => void;
}

/** Buttons that fill a form with what the simulated mail world knows; for test keys only. */
export function TestWords({ words, onPick }: TestWordsProps) {
  if (session.value?.simulated !== true) return null;
  return (
    <div class="chips" role="group" aria-label="Test words">
      <a href="/docs/guides/test-mode">Test words</a>
      {words.map((word) => (
        <button key={word} type="button" onClick={() => onPick(word)}>
          {word}
        </button>
      ))}
    </div>
  );
}
