import { isRFC3339, ValidateBy } from 'class-validator';

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
