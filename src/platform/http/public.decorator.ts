import { SetMetadata } from '@nestjs/common';

export const PUBLIC = 'public';

/** A route (or a controller) that needs no key. Every other one does. */
export const Public = () => SetMetadata(PUBLIC, true);
