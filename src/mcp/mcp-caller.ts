import { Injectable } from '@nestjs/common';
import { AccessService } from '../keys/access.service.js';
import { getAccountId, type Principal } from '../keys/principal.js';
import { AppError } from '../platform/errors/app-error.js';
import { toAppError } from '../platform/errors/fault.js';

/** Who has sent a message; without a good key he may still connect and look around. */
export interface McpCaller {
  readonly principal: Principal | null;
  /** Why there is no principal; null when there is one. */
  readonly refusal: AppError | null;
  readonly requestId: string;
  readonly clientAddress: string;
  /** Adds headers to the reply. */
  readonly tell: (headers: Readonly<Record<string, string | number>>) => void;
}

/** Finds out who is calling without turning anybody away: the tools say what to do about a key that is no good. */
@Injectable()
export class McpCallers {
  constructor(private readonly access: AccessService) {}

  async identify(
    authorization: string | undefined,
    clientAddress: string,
  ): Promise<Pick<McpCaller, 'principal' | 'refusal'>> {
    try {
      const principal = await this.access.authenticate(authorization, clientAddress);
      getAccountId(principal);
      return { principal, refusal: null };
    } catch (error) {
      return { principal: null, refusal: toAppError(error) };
    }
  }
}
