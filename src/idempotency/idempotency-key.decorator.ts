import { ApiHeader } from '@nestjs/swagger';

/** The pattern of a key: bare, or a string of RFC 8941 section 3.3.3. */
const IDEMPOTENCY_KEY = '^([!#-~][!-~]{0,254}|"([!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$';

/** Documents the header that every POST with an API key may have. */
export const ApiIdempotencyKey = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters.',
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY },
  });
