import { CommanderError } from 'commander';
import type { Verdict } from '../../engine/types.js';
import { ConfigurationError } from '../../platform/config/configuration-error.js';

/** A single address exits with its verdict. */
export const VERDICT_EXITS: Readonly<Record<Verdict, number>> = { valid: 0, invalid: 1, risky: 2, unknown: 3 };

/** Refused, or not as it should be; each command says which in its help. */
export const EXIT_FAILURE = 1;
/** The names of sysexits.h. A supervisor need not try again after `EXIT_CONFIGURATION`. */
export const EXIT_USAGE = 64;
export const EXIT_NO_INPUT = 66;
/** The service cannot be reached. */
export const EXIT_UNAVAILABLE = 69;
export const EXIT_SOFTWARE = 70;
export const EXIT_CANNOT_CREATE = 73;
export const EXIT_CONFIGURATION = 78;
/** A shell's codes for a program that SIGINT ended, and for one whose reader has gone (SIGPIPE). */
export const EXIT_INTERRUPTED = 130;
export const EXIT_PIPE_CLOSED = 141;

/** The input cannot be read; the message is for the person who named it. */
export class UnreadableInput extends Error {}

/** What a command exits with that ended by an error, which it tells. */
export function exitOf(error: unknown): number {
  // Commander has printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  console.error(error instanceof ConfigurationError || error instanceof UnreadableInput ? error.message : error);
  if (error instanceof UnreadableInput) return EXIT_NO_INPUT;
  return error instanceof ConfigurationError ? EXIT_CONFIGURATION : EXIT_SOFTWARE;
}
