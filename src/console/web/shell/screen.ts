import type { AnyComponent } from 'preact';
import type { Audience } from './session.js';

/** The headings of the navigation, in their order. */
export const GROUPS = ['Verify', 'Deliverability', 'Account', 'Administration', 'You'] as const;

export interface Screen {
  /** Below `/console`, and neither `/session` nor `/assets`, which are there already; `:id` stands for what is looked at. */
  readonly path: string;
  /** What the navigation, the window and the first heading call it. */
  readonly title: string;
  /** Where the navigation shows it; null: nowhere, another screen leads there. */
  readonly group: (typeof GROUPS)[number] | null;
  readonly for: readonly Audience[];
  /** The permissions of a key without all of which it is not shown. */
  readonly needs?: string | readonly string[];
  readonly component: AnyComponent;
}
