import { ApiHeader } from '@nestjs/swagger';

/** Bare, or a string of RFC 8941 section 3.3.3. */
const IDEMPOTENCY_KEY = '^([!#-~][!-~]{0,254}|"([!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$';

/** Tells in the documents what holds for every POST that needs a key. */
export const ApiIdempotencyKey = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters.',
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY },
  });
