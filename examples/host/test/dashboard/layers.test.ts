/** The layers of the pages: imports run one way, and payloads have no way to become markup. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const HOME = join(import.meta.dirname, '../../dashboard');
/** Each knows those before it. The shell is known to none of them. */
const ORDER = ['words', 'ui', 'data', 'parts', 'pages', 'shell', 'app.tsx', 'main.tsx'];

const files = readdirSync(HOME, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && file !== 'vite.config.ts')
  .map((file) => ({ file, text: readFileSync(join(HOME, file), 'utf8') }));

const layerOf = (file: string): number => ORDER.indexOf(file.split('/')[0] ?? '');

test('every file is in a layer, and imports only from layers before it', () => {
  expect(files.length).toBeGreaterThan(50);
  const wrong = files.flatMap(({ file, text }) =>
    [...text.matchAll(/(?:from|import\(?)\s*'(\.[^']*)'/g)]
      .map(([, specifier = '']) => join(dirname(file), specifier).replace(/^app\.js$/, 'app.tsx'))
      .filter((to) => !to.startsWith('../src/client/'))
      .filter(
        (to) =>
          layerOf(to) < 0 ||
          layerOf(to) > layerOf(file) ||
          (to.startsWith('shell/') && /^(?:pages|parts)/.test(file)),
      )
      .map((to) => `${file} → ${to}`),
  );
  expect(wrong).toEqual([]);
});

test('no file turns text into markup, or has an inline style', () => {
  const banned = /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write|\sstyle="/;
  expect(files.filter(({ text }) => banned.test(text)).map(({ file }) => file)).toEqual([]);
});
