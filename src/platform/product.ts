import { packageVersion } from './config/config-file.js';

/** The service's name, wherever it introduces itself. */
export const PRODUCT = {
  name: 'mailsonde',
  title: 'Mailsonde',
  summary: 'Tells whether an email address can receive mail, without sending any.',
  /** Of the program: what cards and registries say. */
  version: packageVersion(),
  /** Of the OpenAPI documents; paths carry its first number. */
  interfaceVersion: '1.0.0',
} as const;
