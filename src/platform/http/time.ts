import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, isRFC3339, ValidateBy } from 'class-validator';

/** RFC 3339 has leap seconds and years before the first, which `Date` or PostgreSQL do not take. */
function isTime(value: unknown): boolean {
  return isRFC3339(value) && new Date(value as string).getTime() >= 0;
}

/** The documentation of a time that may be missing. */
export const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;

export const IsTime = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTime',
    validator: {
      validate: isTime,
      defaultMessage: () => '$property must be a time such as 2027-01-31T12:00:00Z',
    },
  });

/** A day that the calendar has, from 1970 on. */
function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^(19[7-9]|[2-9]\d\d)\d-\d\d-\d\d$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** A day (UTC) that a query may name. */
export const OptionalDay = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date', example: '2026-11-01', description }),
    IsOptional(),
    ValidateBy({
      name: 'isDay',
      validator: { validate: isDay, defaultMessage: () => '$property must be a day such as 2027-01-31' },
    }),
  );
