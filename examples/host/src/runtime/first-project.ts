/** The first project of an embedded host, so that there is something to sign in to. */
import type { Queries } from '../db/index.js';

/** A project that was made, and how to get in. Both are shown once. */
export interface FirstProject {
  readonly project: string;
  /** May do everything in the project. */
  readonly key: string;
}

/** Dependencies of {@link createFirstProject}. */
export interface FirstProjectParts {
  readonly db: Queries;
  readonly projects: {
    create(
      settings: {
        readonly name: string;
        readonly plan: 'pro';
        readonly retention_days: number;
        readonly auto_pause_days: null;
      },
      actor: string,
    ): Promise<{ readonly project: { readonly id: string }; readonly key: string }>;
  };
}

const COUNT = 'select count(*) as n from projects';
const SETTINGS = { name: 'First project', plan: 'pro', retention_days: 30, auto_pause_days: null } as const;

/** Makes a first project if there is none; null if there are projects. */
export async function createFirstProject({ db, projects }: FirstProjectParts): Promise<FirstProject | null> {
  const { n = 0 } = (await db.get<{ n: number }>(COUNT)) ?? {};
  if (n > 0) return null;
  const { project, key } = await projects.create(SETTINGS, 'service');
  return { project: project.id, key };
}
