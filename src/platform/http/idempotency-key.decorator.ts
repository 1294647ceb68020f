import { ApiHeader } from '@nestjs/swagger';

/** Tells in the documents what holds for every POST that needs a key. */
export const ApiIdempotencyKey = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
  });
