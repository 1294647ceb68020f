import { applyDecorators, Controller, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AnyQuery } from './input-checks.js';

export const PUBLIC = 'public';

/** A route (or a controller) that needs no key. Every other one does. */
export const Public = () => SetMetadata(PUBLIC, true);

/** A controller for everybody that is no part of an interface: pages and documents, which take any query. */
export const UnlistedRoutes = (path = ''): ClassDecorator =>
  applyDecorators(Public(), AnyQuery(), ApiExcludeController(), Controller(path));
