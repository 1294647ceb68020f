import 'reflect-metadata';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FlatClass } from './flat-class.js';

class Above {
  @IsOptional()
  @IsBoolean()
  readonly loud?: boolean | null;
}

class Input extends Above {
  @IsString()
  @MaxLength(4)
  readonly name: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(3)
  readonly times?: number | null;

  @ValidateIf((input: Input) => input.times === 3)
  @IsIn(['a', 'b'])
  readonly tone?: string;
}

class WithList {
  @IsArray()
  readonly names: string[];
}

class WithEach {
  @IsString({ each: true })
  readonly names: string[];
}

class WithNested {
  @ValidateNested()
  @Type(() => Input)
  readonly input: Input;
}

class WithConversion {
  @Transform(({ value }) => Number(value))
  @IsInt()
  readonly times: number;
}

class BelowConversion extends WithConversion {
  @IsString()
  readonly name: string;
}

const values = fc.oneof(
  fc.constantFrom<unknown>(null, true, 'a', 'b', 'abcd', 'abcde', '', 0, 1, 3, 4, 1.5),
  fc.constantFrom<unknown>({}, [], { a: 1 }, ['a'], { toString: 1 }),
  fc.string({ maxLength: 6 }),
);
const inputs = fc.dictionary(
  fc.constantFrom('name', 'times', 'loud', 'tone', 'other', 'constructor', 'toString', '__proto__', 'hasOwnProperty'),
  values,
  { noNullPrototype: false },
);

/** As Nest's pipe asks; null for input that is refused. */
function readAtLength(input: object): object | null {
  const made = plainToInstance(Input, input);
  return validateSync(made, { whitelist: true, forbidUnknownValues: false }).length === 0 ? made : null;
}

describe('a flat class', () => {
  const flat = FlatClass.of(Input)!;

  it('a flat class reads what class-validator accepts, to the same, and nothing else', () => {
    let accepted = 0;
    fc.assert(
      fc.property(inputs, (input) => {
        const read = flat.read(structuredClone(input));
        const [own, { __proto__: _, constructor: __, ...rest }] = [{ ...input }, { ...input }];
        const expected = readAtLength(
          Object.hasOwn(own, '__proto__') || Object.hasOwn(own, 'constructor') ? rest : own,
        );
        if (read === null) return;
        accepted += 1;
        expect(read).toBeInstanceOf(Input);
        expect(expected).not.toBeNull();
        expect({ ...read }).toStrictEqual({ ...expected });
      }),
      { numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it.each([
    { name: 'abcd' },
    { name: '', times: null, loud: null, tone: 7, other: {} },
    { name: 'a', times: 3, tone: 'b', loud: false },
  ])('a flat class reads %j itself', (input) => {
    expect({ ...flat.read(input) }).toStrictEqual({ ...readAtLength(input) });
  });

  it.each([{}, { name: 'abcde' }, { name: 'a', times: 4 }, { name: 'a', times: 3, tone: 'c' }, { name: ['a'] }])(
    'a flat class leaves %j to class-validator',
    (input) => {
      expect(flat.read(input)).toBeNull();
    },
  );

  it.each([WithEach, WithNested, WithConversion, BelowConversion])('a flat class is not made of %o', (made) => {
    expect(FlatClass.of(made)).toBeNull();
  });

  it('a flat class leaves lists to class-transformer, which copies them', () => {
    expect(FlatClass.of(WithList)?.read({ names: ['a'] }) ?? null).toBeNull();
  });
});
