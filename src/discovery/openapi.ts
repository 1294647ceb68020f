import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorBody } from '../platform/errors/api-errors.decorator.js';
import { PRODUCT } from '../platform/product.js';
import { DocumentsService } from './documents.service.js';

/** Describes what serves, and serves Swagger UI over it at `/docs`. */
export function setupOpenApi(app: INestApplication): void {
  const config = configuration();
  app.get(DocumentsService).describe(() => {
    return SwaggerModule.createDocument(app, config, { extraModels: [ErrorBody] });
  });
  // The page fetches the documents by their addresses and needs none of its own.
  SwaggerModule.setup(
    'docs',
    app,
    { ...config, paths: {} },
    {
      raw: false,
      customSiteTitle: PRODUCT.title,
      explorer: true,
      swaggerOptions: {
        urls: [
          { url: '/api/v1/openapi.json', name: 'Full accounts' },
          { url: '/agent-gateway/openapi.json', name: 'Agents' },
        ],
      },
    },
  );
}

function configuration(): Omit<OpenAPIObject, 'paths'> {
  return new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setVersion(PRODUCT.version)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key, such as `ms_agent_…`.' })
    .build();
}
