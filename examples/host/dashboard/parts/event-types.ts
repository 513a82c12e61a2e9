/** The event types that the project lists, for pages that offer them. */
import { allOf } from '../../src/client/index.js';
import { api, currentProject, isPortal, type Output, useResource } from '../data/index.js';
import type { Option } from '../ui/index.js';

export type EventTypeItem = Output<'listEventTypes'>['items'][number];

/** All types by name; empty until they are read, or if they cannot be, as in the portal. */
export function useEventTypes(): readonly EventTypeItem[] {
  const project = currentProject();
  return (
    useResource(`event types for choices ${project}`, (signal) =>
      isPortal ? Promise.resolve(NONE) : allOf(api.listEventTypes, { project, signal }),
    ).value ?? NONE
  );
}

const NONE: readonly EventTypeItem[] = [];

export const typeOption = ({ name, description, deprecated }: EventTypeItem): Option => ({
  value: name,
  note: deprecated ? 'deprecated' : (description ?? 'event type'),
});
