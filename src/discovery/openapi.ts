import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

const DESCRIPTION = [
  'Tells whether an email address can receive mail.',
  'Send your key as `Authorization: Bearer <key>`. An agent gets one from `POST /agent-gateway/register`, without an account.',
  'Every error has the same body: `success` (false), `error` (a sentence), `code` (stable) and `request_id`.',
].join('\n\n');

/** Serves the OpenAPI 3.1.0 document of the interface and Swagger UI over it at `/docs`. */
export function setupOpenApi(app: INestApplication): void {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Mailsonde')
    .setDescription(DESCRIPTION)
    .setVersion('1.0.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key, such as `ms_agent_…`.' })
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, config), {
    jsonDocumentUrl: 'api/v1/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Mailsonde',
  });
}
