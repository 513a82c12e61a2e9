/**
 * Deleted projects. The row of such a project is gone at once, and its other rows go in the background: whatever lets
 * somebody in, or sends something out, asks for this.
 */

/** A condition: the project of a row was not deleted. */
export const hasProject = (column: string): string =>
  `not exists (select 1 from project_deletions as gone where gone.project_id = ${column})`;
