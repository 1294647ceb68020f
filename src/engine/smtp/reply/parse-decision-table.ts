import {
  type Check,
  type Checks,
  isObject,
  listOf,
  matching,
  object,
  oneOf,
  optional,
  orNull,
  passing,
  text,
  WrongValue,
} from '../../../lib/checked-json.js';
import { REPLY_CLASSES, type Stage } from '../../types.js';
import { createClassifier } from './classify.js';
import { type DecisionRow, DecisionTable, type Example, HOST_FAULT } from './decision-table.js';
import { isPhrase } from './phrase-pattern.js';
import { replyOf } from './reply.js';

/** Phrases that say the same, or words for the same. */
interface PhraseGroup {
  /** What they mean, why they mean it, or whose they are. */
  readonly why: string;
  readonly phrases: readonly string[];
}

/** The groups by the names of their lists, as `config/smtp-replies/phrases.json` has them. */
export type PhraseLists = ReadonlyMap<string, readonly PhraseGroup[]>;

const TABLE = 'config/smtp-replies/decision-table.json';
const LISTS = 'config/smtp-replies/phrases.json';

/** The list of what a refusal may speak of instead of the mailbox; no row has it. */
const SOMETHING_ELSE = 'something-else';
/** Rows that the code asks for by name. */
const NAMED_ROWS = ['accepted', 'accepted-unverified', HOST_FAULT];

const ROW_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const STAGE = oneOf<Stage>('connect', 'banner', 'ehlo', 'starttls', 'mail', 'rcpt');
/** Each line of it with its code. */
const REPLY = matching(
  /^([245]\d\d)[ -][^\r\n]{1,900}(\r\n\1[ -][^\r\n]{1,900}){0,9}$/,
  'a reply of a mail host with its code',
);
const PHRASES = listOf(
  passing<string>(isPhrase, 'a phrase (src/engine/smtp/reply/phrase-pattern.ts)'),
  'a list of phrases',
  1,
);
const EXAMPLE = object<Checks<Example>>({
  reply: REPLY,
  stage: optional(STAGE, 'rcpt'),
  provider: optional(text, null),
});

const GROUPS = listOf(object<Checks<PhraseGroup>>({ why: text, phrases: PHRASES }), 'a list of groups of phrases', 1);

const ROW = object<Checks<Omit<DecisionRow, 'id'>>>({
  class: oneOf(...REPLY_CLASSES),
  weight: oneOf('strong', 'medium', 'weak'),
  why: text,
  source: text,
  stages: (value, where) => (value === 'any' ? value : listOf(STAGE, '"any" or a list of stages', 1)(value, where)),
  codes: listOf(
    passing(
      (code) => ['2xx', '4xx', '5xx'].includes(String(code)) || isCode(code),
      '2xx, 4xx, 5xx and codes from 200 to 599',
    ),
    'a list of codes',
    1,
  ),
  enhanced: optional(
    listOf(matching(/^[45x]\.\d{1,3}\.\d{1,3}(-\d{1,3})?$/, 'enhanced codes such as x.1.1 or 5.7.606-649')),
    [],
  ),
  phrases: optional(PHRASES, []),
  not: optional(PHRASES, []),
  providers: orNull(optional(listOf(text), null)),
  examples: listOf(
    (value, where) => EXAMPLE(typeof value === 'string' ? { reply: value } : value, where),
    'a list of one example and more',
    1,
  ),
});

const isCode = (code: unknown): boolean => Number.isInteger(code) && Number(code) >= 200 && Number(code) <= 599;

/**
 * The table of `config/smtp-replies/`, from what its two files hold. Whether each example is decided by its row is for `proveExamples`.
 * @throws WrongValue naming file, row and member
 */
export function parseDecisionTable(rows: unknown, lists: unknown): DecisionTable {
  const phraseLists = parsePhraseLists(lists);
  const parsed = parsedBy(TABLE, rows, ROW).map(([id, row]): DecisionRow => {
    const where = `${TABLE} ${id}`;
    return {
      id,
      ...row,
      phrases: phrasesOf(row.phrases, phraseLists, `${where}.phrases`),
      not: phrasesOf(row.not, phraseLists, `${where}.not`),
    };
  });
  for (const name of NAMED_ROWS)
    if (!parsed.some(({ id }) => id === name))
      throw new WrongValue(`${TABLE} ${name}`, undefined, 'a row of this name');
  return new DecisionTable(parsed, phrasesOf([`{${SOMETHING_ELSE}}`], phraseLists, LISTS));
}

/** @throws WrongValue naming list and member, for a list that names itself too */
export function parsePhraseLists(json: unknown): PhraseLists {
  const lists = new Map(parsedBy(LISTS, json, GROUPS));
  for (const name of lists.keys()) phrasesOf([`{${name}}`], lists, `${LISTS} ${name}`);
  return lists;
}

function parsedBy<T>(file: string, json: unknown, row: Check<T>): (readonly [name: string, row: T])[] {
  if (!isObject(json)) throw new WrongValue(file, json, 'an object of rows by name');
  return Object.entries(json).map(([name, value]) => {
    if (!ROW_NAME.test(name)) throw new WrongValue(`${file} ${name}`, name, 'a name in kebab case');
    return [name, row(value, `${file} ${name}`)];
  });
}

const ONLY_A_LIST = /^\{([^}]*)\}$/;
const LIST_NAMES = /\{([^}]*)\}/g;

/** The phrases with those of every list that they name. @param within the lists that are being read */
function phrasesOf(
  phrases: readonly string[],
  lists: PhraseLists,
  where: string,
  within: readonly string[] = [],
): readonly string[] {
  const ofList = (name: string): readonly string[] => {
    const groups = lists.get(name);
    if (groups === undefined || within.includes(name))
      throw new WrongValue(where, `{${name}}`, `names of lists of ${LISTS}, none of which names itself`);
    return phrasesOf(
      groups.flatMap((group) => group.phrases),
      lists,
      where,
      [...within, name],
    );
  };
  return phrases.flatMap((phrase) => {
    const whole = ONLY_A_LIST.exec(phrase);
    if (whole !== null) return ofList(whole[1]!);
    return [phrase.replaceAll(LIST_NAMES, (_, name: string) => `(${ofList(name).join('|')})`)];
  });
}

/** @throws WrongValue naming the first example that another row decides */
export function proveExamples(table: DecisionTable): void {
  const classifier = createClassifier(table);
  for (const { id, examples } of table.rows)
    for (const [index, { reply, stage, provider }] of examples.entries()) {
      const { row } = classifier.classify({ stage, provider, reply: replyOf(reply) });
      if (row !== id)
        throw new WrongValue(`${TABLE} ${id}.examples[${index}]`, reply, `a reply that this row decides, not "${row}"`);
    }
}
