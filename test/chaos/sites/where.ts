/** The places where scenarios put their sites. */
import { join } from 'node:path';
import type { Means } from '../scenario.js';
import type { World } from '../world.js';
import type { SiteSettings } from './site.js';

/** A file in the scenario's folder. */
export const sqliteAt = (world: World): SiteSettings & { readonly kind: 'sqlite' } => ({
  kind: 'sqlite',
  path: join(world.folder, 'store.db'),
});

/** A schema of its own for each scenario. */
export const postgresAt =
  (schema: string) =>
  (_: World, { postgres }: Means): SiteSettings => ({ kind: 'postgres', url: postgres, schema });
