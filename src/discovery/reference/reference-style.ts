import { PRODUCT } from '../../platform/product.js';

/** The product's colours over those of Swagger UI, whose dark scheme its own button chooses. @param mark the address of the product's mark */
export function referenceStyle(mark: string): string {
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
