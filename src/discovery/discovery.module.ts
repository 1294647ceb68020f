import { Module } from '@nestjs/common';
import { McpModule } from '../mcp/mcp.module.js';
import { AdminDiscoveryController, DiscoveryController } from './discovery.controller.js';
import { DocumentsService } from './documents.service.js';

/** Documents about the interface, made from what serves it. */
@Module({
  imports: [McpModule],
  controllers: [DiscoveryController, AdminDiscoveryController],
  providers: [DocumentsService],
})
export class DiscoveryModule {}
