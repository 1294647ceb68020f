import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorBody } from '../platform/errors/error-body.js';
import { PRODUCT } from '../platform/product.js';
import { ADMIN_INTERFACE } from './discovery.controller.js';
import { type Deprecations, markDeprecated } from './deprecation/deprecations.js';
import { DocumentsService } from './documents/documents.service.js';
import { codeSamples } from './reference/code-samples.js';
import { referenceStyle } from './reference/reference-style.js';

interface PageRequest {
  readonly url: string;
  /** Set when the page fetches a document, and not for "Try it out". */
  readonly loadSpec?: boolean;
  headers: Record<string, string>;
}

/** The part of Swagger UI's own types that is used here. */
interface SwaggerPage {
  readonly ui: { authSelectors: { authorized(): { getIn(path: readonly string[]): string | undefined } } };
}

/**
 * Swagger UI sends the entered key with requests that a reader tries out, but not when it fetches a document, and the
 * administrators' document needs one. It runs in the browser: Nest writes its source text into the page's script, so that it can
 * refer to nothing here.
 */
function sendKeyForDocument(this: void, request: PageRequest): PageRequest {
  const { ui } = globalThis as unknown as SwaggerPage;
  const key = request.loadSpec ? ui.authSelectors.authorized().getIn(['bearer', 'value']) : undefined;
  if (key) request.headers = { ...request.headers, Authorization: `Bearer ${key}` };
  return request;
}

/**
 * Describes the modules that serve, and serves Swagger UI over the documents at `/docs`.
 * @param mark the address of the product's mark
 */
export function setupOpenApi(app: INestApplication, deprecations: Deprecations, mark: string): void {
  const config = configuration();
  app.get(DocumentsService).describe(() => {
    const document = SwaggerModule.createDocument(app, config, { extraModels: [ErrorBody] });
    markDeprecated(document.paths, deprecations);
    return document;
  });
  // The page fetches the documents by their URLs and needs no built-in one.
  SwaggerModule.setup(
    'docs',
    app,
    { ...config, paths: {} },
    {
      raw: false,
      customSiteTitle: `${PRODUCT.title} API`,
      customfavIcon: mark,
      customCss: referenceStyle(mark),
      explorer: true,
      swaggerOptions: {
        urls: [
          { url: '/api/v1/openapi.json', name: 'Full accounts' },
          { url: '/agent-gateway/openapi.json', name: 'Agents' },
          { url: ADMIN_INTERFACE, name: 'Administrators (enter an admin key under Authorize first)' },
        ],
        requestInterceptor: sendKeyForDocument,
        plugins: [codeSamples],
      },
    },
  );
}

function configuration(): Omit<OpenAPIObject, 'paths'> {
  return (
    new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setVersion(PRODUCT.version)
      .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
      // `addBearerAuth()` is not used, because it calls every bearer token a JWT.
      .addSecurity('bearer', { type: 'http', scheme: 'bearer', description: 'An API key, such as `ms_agent_…`.' })
      .build()
  );
}
