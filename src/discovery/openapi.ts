import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorBody } from '../platform/errors/api-errors.decorator.js';
import { OpenApiDocuments } from './openapi-documents.service.js';

/** The interface's, not the program's: it changes when the interface does. */
const VERSION = '1.0.0';

/** Describes what serves, and serves Swagger UI over it at `/docs`. */
export function setupOpenApi(app: INestApplication): void {
  const documents = app.get(OpenApiDocuments);
  documents.describe(() => everything(app));
  SwaggerModule.setup('docs', app, () => documents.get('full'), {
    raw: false,
    customSiteTitle: 'Mailsonde',
    explorer: true,
    swaggerOptions: {
      urls: [
        { url: '/api/v1/openapi.json', name: 'Full accounts' },
        { url: '/agent-gateway/openapi.json', name: 'Agents' },
      ],
    },
  });
}

function everything(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setVersion(VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key, such as `ms_agent_…`.' })
    .build();
  return SwaggerModule.createDocument(app, config, { extraModels: [ErrorBody] });
}
