/** The tables of sizes, as Markdown. */
import { casesOn, type Platform, slugOf, titleOf } from './cases.js';

/** Sizes in bytes by platform, bundler and name of the program. */
export type Sizes = ReadonlyMap<Platform, ReadonlyMap<string, ReadonlyMap<string, number>>>;

const inKb = (bytes: number | undefined): string => (bytes === undefined ? '–' : (bytes / 1_000).toFixed(1));

/** A table for each platform: a row for each import, a column for each bundler. */
export const tablesOf = (sizes: Sizes): string =>
  [...sizes].map(([platform, byBundler]) => tableOf(platform, byBundler)).join('\n\n');

function tableOf(platform: Platform, byBundler: ReadonlyMap<string, ReadonlyMap<string, number>>): string {
  const rows = casesOn(platform).map((one) => [
    titleOf(one),
    ...[...byBundler.values()].map((bySlug) => inKb(bySlug.get(slugOf(one)))),
    `${one.limitsKb[platform]}`,
  ]);
  const heading = [`for a ${platform}, kB`, ...byBundler.keys(), 'limit'];
  const lines = [heading, heading.map((_, nth) => (nth === 0 ? ':--' : '--:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
