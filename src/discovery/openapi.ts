import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PRODUCT } from '../platform/product.js';
import { ADMIN_INTERFACE } from './discovery.controller.js';
import { type Deprecations, markDeprecated } from './openapi/deprecations.js';
import { DocumentsService } from './documents.service.js';
import { codeSamples } from './openapi/code-samples.js';
import { ErrorBody } from './openapi/error-body.js';

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
      .setVersion(PRODUCT.interfaceVersion)
      .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
      // `addBearerAuth()` is not used, because it calls every bearer token a JWT.
      .addSecurity('bearer', { type: 'http', scheme: 'bearer', description: 'An API key, such as `ms_agent_…`.' })
      .build()
  );
}

/** The product's colours over those of Swagger UI, whose dark scheme its own button chooses. @param mark the address of the product's mark */
function referenceStyle(mark: string): string {
  return `
.swagger-ui .topbar { background: #0b5c5f; padding: 8px 0; }
.swagger-ui .topbar a.link > * { display: none; }
.swagger-ui .topbar a.link { flex: 1; max-width: none; font: 650 1.1rem system-ui, sans-serif; }
.swagger-ui .topbar a.link::before { content: ''; width: 32px; height: 32px; margin-right: 10px; background: url('${mark}') center / contain no-repeat; }
.swagger-ui .topbar a.link::after { content: '${PRODUCT.title} API'; color: #fff; }
.swagger-ui .topbar .download-url-wrapper .select-label select { border-color: #6cc5c8; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .btn { font-family: system-ui, sans-serif; }
.swagger-ui .btn.authorize, .swagger-ui .btn.execute { background: #0b5c5f; border-color: #0b5c5f; color: #fff; }
.swagger-ui .btn.authorize svg { fill: #fff; }
.swagger-ui .btn.authorize span { padding-top: 0; }
.swagger-ui .info a { color: #0b5c5f; }
html.dark-mode .swagger-ui .info a { color: #6cc5c8; }
.swagger-ui .code-samples .opblock-section-header { gap: 0.4rem; }
.swagger-ui .code-samples h4 { flex: 1; }
.swagger-ui .code-samples .btn { padding: 4px 12px; }
.swagger-ui .code-samples .btn[aria-pressed='true'] { background: #0b5c5f; border-color: #0b5c5f; color: #fff; }
.swagger-ui .code-samples pre { margin: 12px 20px; padding: 12px 16px; overflow: auto; white-space: pre; border-radius: 8px; background: #101415; color: #e8ecec; font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; }
@media (max-width: 640px) {
  .swagger-ui .topbar-wrapper { flex-wrap: wrap; gap: 8px; }
  .swagger-ui .topbar .download-url-wrapper { flex-basis: 100%; }
}
`;
}
