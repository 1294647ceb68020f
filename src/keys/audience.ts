import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiForbiddenResponse } from '@nestjs/swagger';

/** Whose keys a route takes: any account's unless it says otherwise. */
export type Audience = 'account' | 'full' | 'admin';

export const AUDIENCE = 'audience';

export const RequireFullAccount = () =>
  applyDecorators(SetMetadata(AUDIENCE, 'full'), ApiForbiddenResponse({ description: 'full_account_required' }));

export const RequireAdmin = () =>
  applyDecorators(SetMetadata(AUDIENCE, 'admin'), ApiForbiddenResponse({ description: 'admin_required' }));
