/** What this is called, wherever it introduces itself. */
export const PRODUCT = {
  name: 'mailsonde',
  title: 'Mailsonde',
  summary: 'Tells whether an email address can receive mail, without sending any.',
  /** The interface's, not the program's: it changes when the interface does. */
  version: '1.0.0',
} as const;
