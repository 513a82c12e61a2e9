/** The screenshots of the documents, as small as the site shows them. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from './pages.js';

const FOLDER = 'node_modules/.cache/site-pictures';
/** As wide as the text. A page with one of them stays under the limit of `test/site/pages.built.ts`. */
const WIDTH = 800;

/** How a picture is shown: a path from the root of the repository, and its size in pixels. */
export interface Picture {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** Writes a narrower copy of each screenshot, and returns the copies by the paths of the screenshots. */
export async function narrowPictures(): Promise<ReadonlyMap<string, Picture>> {
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  const names = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.webp'));
  return new Map(await Promise.all(names.map(async (name) => [`docs/${name}`, await narrow(name)] as const)));
}

async function narrow(name: string): Promise<Picture> {
  const path = `${FOLDER}/${name}`;
  const source = sharp(join(ROOT, 'docs', name));
  const { width, height } = await source.resize(WIDTH).webp({ quality: 60 }).toFile(join(ROOT, path));
  return { path, width, height };
}
