import type { Provider, Type } from '@nestjs/common';
import { inputSchemaOf, outputSchemaOf } from './tool-schemas.js';
import { READ_ONLY, type Tool, type ToolAnnotations } from './tool.js';
import { EstimateCostTool } from './estimate-cost.tool.js';
import { ExplainResultTool } from './explain-result.tool.js';
import { GetApiKeyTool } from './get-api-key.tool.js';
import { GetBatchStatusTool } from './get-batch-status.tool.js';
import { GetCreditBalanceTool } from './get-credit-balance.tool.js';
import { GetListTool } from './get-list.tool.js';
import { ListListsTool } from './list-lists.tool.js';
import { VerifyBatchTool } from './verify-batch.tool.js';
import { VerifyEmailTool } from './verify-email.tool.js';

/** The tools in the order of their listing. */
const TOOLS: readonly Type<Tool>[] = [
  VerifyEmailTool,
  VerifyBatchTool,
  GetCreditBalanceTool,
  EstimateCostTool,
  ExplainResultTool,
  ListListsTool,
  GetListTool,
  GetBatchStatusTool,
  GetApiKeyTool,
] as readonly Type[];

/** Nest token of all tools. */
export const MCP_TOOLS = Symbol('MCP_TOOLS');

export const toolProviders: readonly Provider[] = [
  ...TOOLS,
  { provide: MCP_TOOLS, inject: [...TOOLS], useFactory: (...tools: Tool[]): readonly Tool[] => tools },
];

/** The description of a tool for clients. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: ToolAnnotations;
}

export function describeTool({
  name,
  title,
  description,
  input,
  output,
  annotations = READ_ONLY,
}: Tool): ToolDescription {
  return {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(input),
    outputSchema: outputSchemaOf(output),
    annotations,
  };
}

/** For callers of whom every unknown argument is refused. */
export function takingNoMore(tool: ToolDescription): ToolDescription {
  return { ...tool, inputSchema: { ...tool.inputSchema, additionalProperties: false } };
}
