import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** The keys that a route accepts: any account's, unless it says otherwise; `any` takes those of administrators too. */
export type Audience = 'account' | 'full' | 'admin' | 'any';

export const AUDIENCE = 'audience';

export const RequireFullAccount = () =>
  applyDecorators(SetMetadata(AUDIENCE, 'full'), ApiExtension('x-audience', 'full'));

export const RequireAdmin = () => applyDecorators(SetMetadata(AUDIENCE, 'admin'), ApiExtension('x-audience', 'admin'));

export const AcceptAnyKey = () => SetMetadata(AUDIENCE, 'any');
