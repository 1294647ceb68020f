import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FactoryProvider } from '@nestjs/common';
import type { FinderData, OtherForms, PatternRow, SizeClass, SizeRow } from '../engine/finder/finder-data.js';
import { CONFIG_DIRECTORY, readJson } from '../platform/config/config-file.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { createSpeller, type Readings, readReadings } from './spelling.js';

const TEMPLATE =
  /^(\{(first3|first|last3|last7|last|middle|f|l|m)\}[._-]?)*\{(first3|first|last3|last7|last|middle|f|l|m)\}$/;
const SIZE_CLASSES: readonly SizeClass[] = ['small', 'medium', 'large'];

type Weights = Readonly<Record<SizeClass, number>>;

interface NameParts {
  readonly titles: string[];
  readonly suffixes: string[];
  readonly degrees: string[];
  readonly particles: Readonly<Record<'kept' | 'dropped' | 'filiations' | 'conjunctions', string[]>>;
  readonly familyFirst: Readonly<Record<string, string[]>>;
  readonly compoundFamilies: string[];
  readonly patronymics: string[];
  readonly spanishTopLevels: string[];
}

/**
 * Reads `config/finder/`.
 * @throws ConfigurationError naming the first row that is wrong
 */
export function readFinderData(readings: Readings): FinderData {
  const common = pairsOf(['nicknames-common.txt']);
  const rare = pairsOf(['nicknames-en.txt', 'nicknames-other.txt']);
  return {
    patterns: readPatterns(),
    sizes: readSizes(),
    words: readWords(readings),
    shortForms: grouped(common, rare),
    fullForms: grouped(turned(common), turned(rare)),
    givenNames: new Set(rowsOf('given-names.txt')),
    familyNames: new Set(rowsOf('family-names.txt')),
  };
}

function readPatterns(): PatternRow[] {
  return Object.entries(readFinderJson('patterns.json') as Record<string, Weights>).map(([template, weights]) => {
    if (!TEMPLATE.test(template)) throw wrong('patterns.json', template, 'a pattern such as {first}.{last}');
    return { template, weights: checkedWeights('patterns.json', template, weights) };
  });
}

function readSizes(): FinderData['sizes'] {
  const rows = readFinderJson('size-classes.json') as Record<string, Weights & { operators: string[] }>;
  const row = (name: string): SizeRow => {
    const { operators, ...weights } = rows[name] ?? { operators: [], small: NaN, medium: 0, large: 0 };
    return { operators, weights: checkedWeights('size-classes.json', name, weights) };
  };
  const others = Object.keys(rows).filter((name) => name !== 'default' && name !== 'gateway');
  return { default: row('default'), gateway: row('gateway'), others: others.map(row) };
}

function checkedWeights(file: string, name: string, weights: Weights): Weights {
  const isRight = SIZE_CLASSES.every((size) => Number.isFinite(weights[size]) && weights[size] >= 0);
  if (!isRight) throw wrong(file, name, 'small, medium and large, numbers from 0');
  return weights;
}

function readWords(readings: Readings): FinderData['words'] {
  const words = readFinderJson('words.json') as NameParts;
  const familyFirst = Object.entries(words.familyFirst).map(([language, names]) => [language, new Set(names)] as const);
  const long = [...words.compoundFamilies, ...Object.keys(readings['ko']?.family ?? {})];
  return {
    titles: new Set(words.titles),
    suffixes: new Set(words.suffixes),
    degrees: new Set(words.degrees),
    keptParticles: new Set(words.particles.kept),
    droppedParticles: new Set(words.particles.dropped),
    filiations: new Set(words.particles.filiations),
    conjunctions: new Set(words.particles.conjunctions),
    familyFirst: Object.fromEntries(familyFirst),
    longFamilies: new Set(long.filter((name) => name.length > 1)),
    japaneseFamilies: new Set(Object.keys(readings['ja']?.family ?? {}).filter((name) => name.length > 1)),
    patronymic: new RegExp(words.patronymics.join('|')),
    spanishTopLevels: new Set(words.spanishTopLevels),
  };
}

type Pair = readonly [name: string, other: string];

/** Pairs of a name and a short form, from rows with a name and its short forms. */
function pairsOf(files: readonly string[]): Pair[] {
  const rows = files.flatMap(rowsOf).map((row) => row.split(' '));
  return rows.flatMap(([name = '', ...short]) => short.map((form): Pair => [name, form]));
}

const turned = (pairs: readonly Pair[]): Pair[] => pairs.map(([name, form]) => [form, name]);

function grouped(common: readonly Pair[], rare: readonly Pair[]): Map<string, OtherForms> {
  const groups = new Map<string, { common: string[]; rare: string[] }>();
  const groupOf = (name: string) => {
    const known = groups.get(name) ?? { common: [], rare: [] };
    groups.set(name, known);
    return known;
  };
  for (const [name, other] of common) groupOf(name).common.push(other);
  for (const [name, other] of rare) if (!groupOf(name).common.includes(other)) groupOf(name).rare.push(other);
  return groups;
}

/** Lines without comments. */
function rowsOf(file: string): string[] {
  const lines = readFileSync(join(CONFIG_DIRECTORY, 'finder', file), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

const readFinderJson = (file: string): unknown =>
  readJson(`config/finder/${file}`, join(CONFIG_DIRECTORY, 'finder', file));

function wrong(file: string, value: string, allowed: string): ConfigurationError {
  return new ConfigurationError(`config/finder/${file}`, value, allowed);
}

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
