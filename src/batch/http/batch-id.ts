import type { ErrorCode } from '../../platform/errors/error-catalog.js';
import { ID_SCHEMA, IdParam } from '../../platform/http/id-params.js';

/** The schema of an id of a batch. */
export const BATCH_ID_SCHEMA = ID_SCHEMA;

/** The `:id` of a route of batches, or of the list that a batch becomes. */
export const BatchIdParam = (refusal: ErrorCode = 'batch_not_found'): ParameterDecorator => IdParam(refusal);
