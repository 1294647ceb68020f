import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { ID_SCHEMA } from './ids.js';

declare const VALUE: unique symbol;

/** A member of a reply, as the documents describe it; the compiler alone knows of its value. */
interface Field<Value> {
  readonly options: ApiPropertyOptions;
  readonly [VALUE]?: Value;
}

/** One that some replies do not have. */
interface OptionalField<Value> extends Field<Value> {
  readonly isOptional: true;
}

type Fields = Readonly<Record<string, Field<unknown>>>;

type ValueOf<F> = F extends Field<infer Value> ? Value : never;

type OptionalNames<F> = { [Name in keyof F]: F[Name] extends OptionalField<unknown> ? Name : never }[keyof F];

type Members<F> = { readonly [Name in Exclude<keyof F, OptionalNames<F>>]: ValueOf<F[Name]> } & {
  readonly [Name in OptionalNames<F>]?: ValueOf<F[Name]>;
};

/** The class of a reply with these members, in their order. In the documents it is called like the class that extends it. */
export function Reply<F extends Fields>(fields: F): Type<Members<F>> {
  return Extended(Object.assign(class {}, { members: [] }), fields);
}

/** The class of a reply with the members of another one, and these after them. */
export function Extended<Above, F extends Fields>(above: Type<Above>, fields: F): Type<Above & Members<F>> {
  class Below extends (above as Type<object>) {
    static readonly members = membersOf(above)?.concat(Object.keys(fields));
  }
  for (const [name, one] of Object.entries(fields)) {
    const Described = 'isOptional' in one ? ApiPropertyOptional : ApiProperty;
    Described(one.options)(Below.prototype, name);
  }
  return Below as unknown as Type<Above & Members<F>>;
}

/** The names of a reply's members; undefined where Nest has made the class of another one, as `PickType` does. */
function membersOf(reply: Type<unknown>): readonly string[] | undefined {
  return (reply as { readonly members?: readonly string[] }).members;
}

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** What a record has where the reply has a text: perhaps a time. */
type Recorded<Value> = Value extends string ? (string extends Value ? string | Date : Value) : Value;

/** The members of a reply as a record has them: in camel case, times as dates. */
type RecordOf<Shown> = { readonly [Name in keyof Shown as CamelCase<Name & string>]: Recorded<Shown[Name]> };

/** The reply that shows a record: the members of its class, and nothing else of what the record has. */
export function replyOf<Shown extends object>(reply: Type<Shown>, record: RecordOf<Shown>): Pick<Shown, keyof Shown> {
  const values = record as Readonly<Record<string, unknown>>;
  let names = namesOf.get(reply);
  if (names === undefined) namesOf.set(reply, (names = membersOf(reply)!.map((name) => [name, camelCase(name)])));
  const shown: Record<string, unknown> = {};
  for (const [name, member] of names) {
    const value = values[member];
    shown[name] = value instanceof Date ? value.toISOString() : value;
  }
  return shown as Pick<Shown, keyof Shown>;
}

/** The members of each class, and what its records call them: looked up once, since a page has a hundred of them. */
const namesOf = new WeakMap<Type, (readonly [name: string, member: string])[]>();

const camelCase = (name: string): string => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** What the documents say of a member beside its schema: a description, or that and more. */
type Said =
  | string
  | Pick<
      ApiPropertyOptions,
      'description' | 'example' | 'format' | 'pattern' | 'minimum' | 'maximum' | 'maxLength' | 'maxItems'
    >;

function described<Value>(schema: ApiPropertyOptions, said: Said = {}): Field<Value> {
  const more = typeof said === 'string' ? { description: said } : said;
  return { options: { ...schema, ...more } };
}

/** The maker of members that have this schema. */
const made =
  <Value>(schema: ApiPropertyOptions) =>
  (said?: Said): Field<Value> =>
    described(schema, said);

/** The members that replies have. */
export const field = {
  text: made<string>({ type: String }),
  textOrNull: made<string | null>({ type: String, nullable: true }),
  texts: made<readonly string[]>({ type: [String] }),
  textsOrNull: made<readonly string[] | null>({ type: [String], nullable: true }),

  uuid: made<string>({ type: String, format: 'uuid' }),
  uuidOrNull: made<string | null>({ type: String, format: 'uuid', nullable: true }),
  url: made<string>({ type: String, format: 'uri' }),
  /** An id that is a number. */
  id: made<number>(ID_SCHEMA),
  idOrNull: made<number | null>({ ...ID_SCHEMA, nullable: true }),

  time: made<string>({ type: String, format: 'date-time' }),
  timeOrNull: made<string | null>({ type: String, format: 'date-time', nullable: true }),
  /** A time as the database gives it, which JSON writes like the others. */
  moment: made<Date>({ type: String, format: 'date-time' }),
  momentOrNull: made<Date | null>({ type: String, format: 'date-time', nullable: true }),
  day: made<string>({ type: String, format: 'date' }),
  dayOrNull: made<string | null>({ type: String, format: 'date', nullable: true }),

  boolean: made<boolean>({ type: Boolean }),
  booleanOrNull: made<boolean | null>({ type: Boolean, nullable: true }),

  number: made<number>({ type: Number }),
  numberOrNull: made<number | null>({ type: Number, nullable: true }),
  /** From 0 to 1. */
  fraction: made<number>({ type: Number, minimum: 0, maximum: 1 }),
  integer: made<number>({ type: 'integer' }),
  integerOrNull: made<number | null>({ type: 'integer', nullable: true }),
  count: made<number>({ type: 'integer', minimum: 0 }),
  countOrNull: made<number | null>({ type: 'integer', minimum: 0, nullable: true }),
  /** Of things of which there is at least one. */
  countFromOne: made<number>({ type: 'integer', minimum: 1 }),
  /** Sums of what others report, which may be beyond 32 bits. */
  largeCount: made<number>({ type: 'integer', format: 'int64', minimum: 0 }),

  /** Members of any names. */
  anyMembers: made<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true }),
  textsByName: made<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
  }),

  /** One word of a vocabulary. */
  oneOf: <const Word extends string>(words: readonly Word[], said?: Said): Field<Word> =>
    described({ enum: [...words] }, said),
  oneOfOrNull: <const Word extends string>(words: readonly Word[], said?: Said): Field<Word | null> =>
    described({ type: String, enum: [...words], nullable: true }, said),
  /** Words of a vocabulary. */
  someOf: <const Word extends string>(words: readonly Word[], said?: Said): Field<readonly Word[]> =>
    described({ enum: [...words], isArray: true }, said),

  /** Another reply within this one. */
  one: <Value>(shown: Type<Value>, said?: Said): Field<Value> => described({ type: shown }, said),
  oneOrNull: <Value>(shown: Type<Value>, said?: Said): Field<Value | null> =>
    described({ type: shown, nullable: true }, said),
  listOf: <Value>(shown: Type<Value>, said?: Said): Field<readonly Value[]> => described({ type: [shown] }, said),

  /** What none of the others describes. */
  of: <Value>(options: ApiPropertyOptions): Field<Value> => ({ options }),
  optional: <Value>({ options }: Field<Value>): OptionalField<Value> => ({ options, isOptional: true }),
};
