import { Module } from '@nestjs/common';
import { McpHttpModule } from '../mcp/mcp-http.module.js';
import { AdminDiscoveryController, DiscoveryController } from './discovery.controller.js';
import { DocumentsService } from './documents.service.js';
import { SiteFilesController } from './site-files.controller.js';

/** Documents about the interface, made from what serves it. */
@Module({
  imports: [McpHttpModule],
  controllers: [DiscoveryController, AdminDiscoveryController, SiteFilesController],
  providers: [DocumentsService],
  exports: [DocumentsService],
})
export class DiscoveryHttpModule {}
