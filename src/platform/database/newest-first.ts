import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { PageRequest } from '../http/listing.js';

/**
 * Reads rows by `createdAt`, newest first, and those of the same time by `id`. An index that ends in both columns serves it.
 * @returns one row more than the limit, when there are more
 */
export function newestFirst<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  { limit, after }: PageRequest,
): Promise<T[]> {
  const { alias } = query;
  if (after !== null) query.andWhere(`(${alias}.createdAt, ${alias}.id) < (:at, :id)`, after);
  return query
    .orderBy(`${alias}.createdAt`, 'DESC')
    .addOrderBy(`${alias}.id`, 'DESC')
    .limit(limit + 1)
    .getMany();
}
