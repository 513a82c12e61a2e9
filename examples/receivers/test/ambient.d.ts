/** The parts of runtimes and of generated modules that the apps use, so that their types need not be installed. */
declare namespace Bun {
  function serve(options: {
    port: number;
    routes: Record<string, (request: Request) => Response | Promise<Response>>;
  }): unknown;
}

declare namespace Deno {
  const env: { get(name: string): string | undefined };
  function serve(options: { port: number }, handler: (request: Request) => Promise<Response>): unknown;
}

declare module 'cloudflare:workers' {
  export const env: { readonly SIGNING_SECRET: string };
}

declare module '$env/dynamic/private' {
  export const env: Readonly<Record<string, string | undefined>>;
}
