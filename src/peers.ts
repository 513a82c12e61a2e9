/** Optional packages, found without an import: bundlers would follow one to packages that few have. */

/**
 * A `require` that finds a package: from the package's own file, else from that of the program, else from the working
 * directory. Throws what `require.resolve` throws where none of them leads to it.
 */
export function requireFor(id: string): NodeJS.Require {
  const { createRequire } = process.getBuiltinModule('node:module');
  let failure: unknown;
  for (const origin of [ownFile(), process.argv[1], `${process.cwd()}/`]) {
    try {
      const require = createRequire(origin as string);
      require.resolve(id);
      return require;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * The file that runs this, which is the bundle where there is one, as the stack tells it. `import.meta.url` is not
 * there in bundles of CommonJS, some of which warn of it, and in others it names a file of the machine that made them.
 */
const ownFile = (): string | undefined =>
  /(?:file:\/\/|\/|[A-Z]:\\)[^\n]*?(?=:\d+:\d+\)?$)/m.exec(String(new Error().stack))?.[0];
