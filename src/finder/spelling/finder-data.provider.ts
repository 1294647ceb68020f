import type { FactoryProvider } from '@nestjs/common';
import type { FinderData } from '../../engine/finder/finder-data.js';
import { readFinderData } from './finder-data-files.js';
import { createSpeller, type Readings, readReadings } from './spelling.js';

/** Nest tokens of the `FinderData` and the `Speller`. */
export const FINDER_DATA = Symbol('FINDER_DATA');
export const SPELLER = Symbol('SPELLER');

let readings: Readings | undefined;
let data: FinderData | undefined;

// Both are made of one file, and what came with the version is the same for every service of a process.
const readingsOnce = (): Readings => (readings ??= readReadings());

export const finderDataProvider: FactoryProvider = {
  provide: FINDER_DATA,
  useFactory: () => (data ??= readFinderData(readingsOnce())),
};

export const spellerProvider: FactoryProvider = {
  provide: SPELLER,
  useFactory: () => createSpeller(readingsOnce()),
};
