import type { FactoryProvider } from '@nestjs/common';
import { readFinderData } from './finder-data-files.js';
import { createSpeller, readReadings } from './spelling.js';

/** Nest tokens of the `FinderData` and the `Speller`. */
export const FINDER_DATA = Symbol('FINDER_DATA');
export const SPELLER = Symbol('SPELLER');

export const finderDataProvider: FactoryProvider = {
  provide: FINDER_DATA,
  useFactory: () => readFinderData(readReadings()),
};

export const spellerProvider: FactoryProvider = {
  provide: SPELLER,
  useFactory: () => createSpeller(readReadings()),
};
