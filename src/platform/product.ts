/** The service's name, wherever it introduces itself. */
export const PRODUCT = {
  name: 'mailsonde',
  title: 'Mailsonde',
  summary: 'Tells whether an email address can receive mail, without sending any.',
  /** The version of the interface, not of the program. */
  version: '1.0.0',
} as const;
