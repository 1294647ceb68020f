import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** Whose keys a route takes: any account's unless it says otherwise. */
export type Audience = 'account' | 'full' | 'admin';

export const AUDIENCE = 'audience';

export const RequireFullAccount = () =>
  applyDecorators(SetMetadata(AUDIENCE, 'full'), ApiExtension('x-audience', 'full'));

export const RequireAdmin = () => applyDecorators(SetMetadata(AUDIENCE, 'admin'), ApiExtension('x-audience', 'admin'));
