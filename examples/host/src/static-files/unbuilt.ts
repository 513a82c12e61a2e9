/** The page that stands for all others until they are built. */
import { html } from '../api/html.js';
import { PAGE_HEADERS } from './policy.js';

/** The command, in the root of the repository. */
const BUILD = 'npm run build:dashboard';

const page = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>Headgate</title>
    </head>
    <body>
      <main>
        <h1>The pages are not built</h1>
        <p>The service runs, and its API answers. To build the pages, run this in the repository:</p>
        <pre><code>${BUILD}</code></pre>
        <p>
          Then start the service again. <a href="/reference">The reference</a> lists every route of the API.
        </p>
      </main>
    </body>
  </html>`.text;

/** Says how to build the pages, at any of their paths. */
export const unbuiltPage = (): Response =>
  new Response(page, {
    status: 404,
    headers: { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
