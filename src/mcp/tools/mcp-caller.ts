import type { Trace } from '../../platform/logging/trace.js';
import { Injectable } from '@nestjs/common';
import { AccessService } from '../../keys/access/access.service.js';
import { getAccountId, type Principal } from '../../keys/access/principal.js';
import { AppError } from '../../platform/errors/app-error.js';
import { toAppError } from '../../platform/errors/error-reply.js';
import type { Env } from '../../platform/config/env.js';

/** The sender of a message, who may connect and look around even without a valid key. */
export interface McpCaller {
  readonly principal: Principal | null;
  /** The refusal, when there is no principal; else null. */
  readonly refusal: AppError | null;
  readonly requestId: string;
  readonly clientAddress: string;
  /** Adds headers to the reply. */
  readonly tell: (headers: Readonly<Record<string, string | number>>) => void;
}

/** Identifies the caller and turns nobody away, because the tools explain what to do about an invalid key. */
@Injectable()
export class McpCallers {
  constructor(private readonly access: AccessService) {}

  async identify(
    authorization: string | undefined,
    clientAddress: string,
    trace: Trace,
  ): Promise<Pick<McpCaller, 'principal' | 'refusal'>> {
    try {
      const principal = { ...(await this.access.authenticate(authorization, clientAddress)), trace };
      getAccountId(principal);
      return { principal, refusal: null };
    } catch (error) {
      return { principal: null, refusal: toAppError(error) };
    }
  }
}

export const MCP_PATH = '/mcp';

export function mcpUrl({ publicUrl }: Pick<Env, 'publicUrl'>): string {
  return publicUrl + MCP_PATH;
}
