import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { ListsModule } from '../lists/lists.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { McpCallers } from './mcp-caller.js';
import { McpServerService } from './mcp-server.service.js';
import { McpController } from './mcp.controller.js';
import { ToolCallsService } from './tool-calls.service.js';
import { toolProviders } from './tool-list.js';

/** The interface for agents that speak the Model Context Protocol: nine tools over the services of the REST interface. */
@Module({
  imports: [BatchModule, CreditsModule, KeysModule, ListsModule, VerifyModule],
  controllers: [McpController],
  providers: [McpCallers, McpServerService, ToolCallsService, ...toolProviders],
  exports: [McpServerService],
})
export class McpModule {}
