import type { Config } from '../../config/load.ts';

/**
 * Scripts: our files and the inline ones of index.html by hash. Styles: our files and elements with the nonce of this
 * rendering (Radix's scroll lock writes one). `style-src-attr` is the only inline exception: pop-ups are placed by it.
 */
export function pagePolicy(config: Config, scriptHashes: readonly string[], nonce: string): string {
  const pictures = ['https://pbs.twimg.com', ...(config.xSandboxUrl ? [config.xSandboxUrl] : [])];
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptHashes.join(' ')}`.trimEnd(),
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob: ${pictures.join(' ')}`,
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(config.isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
