import type { z } from 'zod';
import type { Principal } from '../../keys/access/principal.js';
import type { IdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import type { ResultFields } from './tool-schemas.js';
import { counted } from '../../platform/counted.js';

/** The caller of a tool, as far as it is known. */
export interface ToolCall {
  /** Null without a valid key. */
  readonly principal: Principal | null;
  /** @throws AppError the reason why there is no principal: a 401 code, `account_suspended`, `full_account_required` */
  readonly requirePrincipal: () => Principal;
  /** The right to do the work of an idempotency key, when the call has one. */
  readonly claim: IdempotencyClaim | null;
  readonly clientAddress: string;
}

/** Hints for clients, as the protocol defines them. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  /** Left out where nothing is changed: there it means nothing. */
  readonly destructiveHint?: boolean;
  readonly openWorldHint: boolean;
}

/** A tool, which works through the services that the REST interface calls. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** The description by which a model chooses: when to use the tool and when its sibling, its price, its result. */
  readonly description: string;
  /** Left out: it only reads. */
  readonly annotations?: ToolAnnotations;
  readonly input: Input;
  /** Members of its result in addition to those of every result. */
  readonly output: z.ZodObject;
  /** Left out: every use of it needs a key. */
  readonly needsKey?: false;
  /** What a key needs for it: what it needs for the route of the REST interface that does the same. */
  readonly needs: readonly string[];
  /** Left out: a call uses the key's rate. Else its costs have limits of their own. */
  readonly usesRate?: false;
  /** @throws AppError the refusal of the work */
  run(input: z.infer<Input>, call: ToolCall): Promise<ToolResult>;
}

export type ToolResult = Partial<ResultFields> & Pick<ResultFields, 'action'> & Readonly<Record<string, unknown>>;

export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  openWorldHint: false,
};

/** Hints for a tool that spends credits or makes something new each time, and destroys nothing. */
export const ADDING: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  openWorldHint: true,
};

/** What follows from `retry_later` where nobody knows for how long: time alone changes nothing about such an answer. */
export const RETRY_WITHOUT_TIME =
  'No time is known after which the answer would be another one, since somebody has to change something first (see explanation). Ask verify_email once more tomorrow at the earliest, and treat the address as unknown until then.';

/** How descriptions tell a price. */
export function creditsText(credits: number): string {
  return counted(credits, 'credit');
}
