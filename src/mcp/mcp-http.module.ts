import { Module } from '@nestjs/common';
import { BatchHttpModule } from '../batch/batch-http.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { KeysHttpModule } from '../keys/keys-http.module.js';
import { ListsHttpModule } from '../lists/lists-http.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { McpCallers } from './tools/mcp-caller.js';
import { McpController } from './mcp.controller.js';
import { McpServerService } from './mcp-server.service.js';
import { ToolCallsService } from './tools/tool-calls.service.js';
import { toolProviders } from './tools/tool-list.js';

/** The interface for agents that speak the Model Context Protocol: nine tools over the services of the REST interface. */
@Module({
  imports: [BatchHttpModule, CreditsModule, IdempotencyModule, KeysHttpModule, ListsHttpModule, VerifyModule],
  controllers: [McpController],
  providers: [McpCallers, McpServerService, ToolCallsService, ...toolProviders],
  exports: [McpServerService],
})
export class McpHttpModule {}
