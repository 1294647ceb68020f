import type { Verdict } from '../engine/types.js';

/** Of a single address. */
export const VERDICT_EXITS: Readonly<Record<Verdict, number>> = { valid: 0, invalid: 1, risky: 2, unknown: 3 };

/** The names of sysexits.h. */
export const EXIT_USAGE = 64;
export const EXIT_NO_INPUT = 66;
export const EXIT_SOFTWARE = 70;
export const EXIT_CONFIGURATION = 78;
/** As a shell says of a program that SIGINT ended. */
export const EXIT_INTERRUPTED = 130;
