/** Queries of a list under names, kept in this browser for each project. */
import { useMemo } from 'preact/hooks';
import { currentProject } from './session.js';
import { stored } from './stored.js';

/** A view: the query that the address then has. */
export interface SavedView {
  readonly name: string;
  readonly search: string;
}

export interface SavedViews {
  readonly views: readonly SavedView[];
  /** Replaces one with the same name. */
  readonly save: (view: SavedView) => void;
  readonly remove: (name: string) => void;
}

/** @param list - Names the list, such as `events`. */
export function useSavedViews(list: string): SavedViews {
  const project = currentProject();
  const views = useMemo(
    () => stored<readonly SavedView[]>('localStorage', `headgate views ${list} ${project}`, []),
    [list, project],
  );
  const without = (name: string): readonly SavedView[] => views.value.filter((view) => view.name !== name);
  return {
    views: views.value,
    save: (view) => {
      views.value = [...without(view.name), view];
    },
    remove: (name) => {
      views.value = without(name);
    },
  };
}
