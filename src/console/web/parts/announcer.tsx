import { signal } from '@preact/signals';

const said = signal('');

/** Tells screen readers what changed, where nothing else on the page does (WCAG 2.2, 4.1.3). */
export function announce(text: string): void {
  // The same sentence twice is a change only when something else was there between.
  said.value = said.value === text ? `${text}\u00a0` : text;
}

export function Announcer() {
  return (
    <p class="visually-hidden" role="status">
      {said}
    </p>
  );
}
