import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';

type RuleMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Rule = (value: unknown, whole: object) => unknown;

interface Member {
  readonly name: string;
  /** Where one of them says no, the member is not looked at: `@IsOptional()`. */
  readonly conditions: readonly Rule[];
  readonly rules: readonly Rule[];
}

/**
 * The rules of an input class whose members are texts, numbers and booleans, put side by side once. They are class-validator's own
 * functions; what is left out is its walk, which looks up, groups and filters the rules of a class for every request.
 *
 * It says yes only: input that it does not read is read by class-validator and class-transformer, whose errors are told.
 */
export class FlatClass {
  private constructor(
    private readonly made: Type<object>,
    private readonly members: readonly Member[],
  ) {}

  /** Null for a class with nested classes, lists, conversions, or rules of groups. */
  static of(made: Type<object>): FlatClass | null {
    const rules = getMetadataStorage().getTargetValidationMetadatas(made, '', false, false);
    if (rules.length === 0 || isConverted(made)) return null;
    const byName = new Map<string, RuleMetadata[]>();
    for (const rule of rules) byName.set(rule.propertyName, [...(byName.get(rule.propertyName) ?? []), rule]);
    const members: Member[] = [];
    for (const [name, ofMember] of byName) {
      const member = memberOf(name, ofMember);
      if (member === null) return null;
      members.push(member);
    }
    return new FlatClass(made, members);
  }

  /** The instance that is handed to a route; null where somebody else has to read the value. */
  read(value: object): object | null {
    const input = value as Record<string, unknown>;
    const made = new this.made() as Record<string, unknown>;
    for (const { name } of this.members) {
      if (!Object.hasOwn(input, name)) continue;
      const one = input[name];
      if (typeof one === 'object' ? one !== null : typeof one === 'function' || one === undefined) return null;
      made[name] = one;
    }
    for (const { name, conditions, rules } of this.members) {
      const one = made[name];
      if (!conditions.every((holds) => holds(one, made))) continue;
      // A rule that is a promise, too, is somebody else's.
      for (const rule of rules) if (rule(one, made) !== true) return null;
    }
    return made;
  }
}

/** class-transformer knows anything of the class. */
function isConverted(made: Type<object>): boolean {
  const { _typeMetadatas: types, _transformMetadatas: transforms, ...others } = defaultMetadataStorage;
  const { _exposeMetadatas: exposed, _excludeMetadatas: excluded } = others;
  for (let one: unknown = made; typeof one === 'function'; one = Object.getPrototypeOf(one))
    if ([types, transforms, exposed, excluded].some((known) => known.has(one))) return true;
  return false;
}

function memberOf(name: string, all: readonly RuleMetadata[]): Member | null {
  const conditions: Rule[] = [];
  const rules: Rule[] = [];
  for (const one of all) {
    if (one.type === ValidationTypes.WHITELIST) continue;
    if (one.each || one.validateIf !== undefined) return null;
    if (one.type === ValidationTypes.CONDITIONAL_VALIDATION) {
      const [holds] = one.constraints as [(whole: object, value: unknown) => boolean];
      conditions.push((value, whole) => holds(whole, value));
    } else if (one.type === ValidationTypes.CUSTOM_VALIDATION) rules.push(...rulesOf(one));
    else return null;
  }
  return { name, conditions, rules };
}

function rulesOf({ constraintCls, constraints, propertyName: property }: RuleMetadata): Rule[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance: validator }): Rule => {
      return (value, object) => {
        const asked: ValidationArguments = {
          targetName: object.constructor.name,
          property,
          object,
          value,
          constraints,
        };
        return validator.validate(value, asked);
      };
    });
}
