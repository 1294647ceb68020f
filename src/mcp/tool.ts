import type { z } from 'zod';
import type { Principal } from '../keys/principal.js';
import type { Claim } from '../platform/http/claim.js';
import type { ResultFields } from './tool-schemas.js';

/** Who calls a tool, as far as it is known. */
export interface ToolCall {
  /** Null without a key that is good. */
  readonly principal: Principal | null;
  /** @throws AppError why there is none: a 401 code, `account_suspended`, `full_account_required` */
  readonly requirePrincipal: () => Principal;
  /** With an idempotency key: the right to do its work. */
  readonly claim: Claim | null;
  readonly clientAddress: string;
}

/** Hints to clients, as the protocol defines them. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** One tool; it does its work by the services that the REST interface calls. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For a model that must choose: when to use it and when its sibling, what it costs, what comes back. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: Input;
  /** The members of a result beside those that every result has. */
  readonly output: z.ZodObject;
  /** Whether nothing of it can be done without a key. */
  readonly needsKey: boolean;
  /** Whether it uses the key's rate; what it costs otherwise is limited where it arises. */
  readonly usesRate: boolean;
  /** @throws AppError what the work is refused with */
  run(input: z.infer<Input>, call: ToolCall): Promise<ToolResult>;
}

export type ToolResult = Partial<ResultFields> & Pick<ResultFields, 'action'> & Readonly<Record<string, unknown>>;

export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Spends credits, or makes something new each time; takes nothing away. */
export const ADDING: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
