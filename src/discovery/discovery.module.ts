import { Module } from '@nestjs/common';
import { DiscoveryController } from './discovery.controller.js';
import { OpenApiDocuments } from './openapi-documents.service.js';

/** Documents about the interface, made from what serves it. */
@Module({
  controllers: [DiscoveryController],
  providers: [OpenApiDocuments],
})
export class DiscoveryModule {}
