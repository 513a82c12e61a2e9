/** A disk that can be full: a small one of memory where one may be mounted, else a limit that SQLite keeps itself. */
import { DatabaseSync } from '@photostructure/sqlite';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.js';

const SIZE = '64m';

export interface Disk {
  /** Its kind, for the table. */
  readonly kind: string;
  readonly folder: string;
  /** Pages that each process may use at first, where it is a limit. */
  readonly pages: number | undefined;
  /** Takes all the room there is. */
  fill(path: string): void;
  /** Gives it back. */
  empty(): void;
}

/** No limit. */
const ALL_PAGES = 1_073_741_823;

function mount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes until there is no room, down to the last kilobyte. */
function writeBallast(path: string): void {
  const file = openSync(path, 'w');
  for (const size of [1 << 20, 1 << 12, 1 << 10]) {
    const bytes = new Uint8Array(size);
    try {
      for (;;) writeSync(file, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
}

export function openDisk(world: World): Disk {
  const folder = join(world.folder, 'disk');
  mkdirSync(folder);
  return mount(folder) ? mounted(world, folder) : limited(world, folder);
}

function mounted(world: World, folder: string): Disk {
  world.defer(() => execFileSync('umount', ['-l', folder]));
  const ballast = join(folder, 'ballast');
  return {
    kind: `a disk of ${SIZE}, full to the last byte`,
    folder,
    pages: undefined,
    fill: () => writeBallast(ballast),
    empty: () => rmSync(ballast),
  };
}

function limited(world: World, folder: string): Disk {
  const tell = (pages: number): void =>
    world.children
      .filter(({ role }) => role !== 'receiver')
      .forEach((child) => child.tell({ do: 'pages', pages }));
  return {
    kind: 'SQLite’s own limit of pages, since no disk could be mounted',
    folder,
    pages: ALL_PAGES,
    fill: (path) => {
      const database = new DatabaseSync(path);
      const { page_count: pages } = database.prepare('pragma page_count').get() as { page_count: number };
      database.close();
      tell(pages);
    },
    empty: () => tell(ALL_PAGES),
  };
}
