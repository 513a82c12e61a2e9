/** Event types as their pages name them, and the states that they are shown with. */
import type { Output } from '../../data/index.js';
import type { Status } from '../../words/statuses.js';

export type EventType = Output<'getEventType'>;

const STRICT: Status = {
  ...{ text: 'Strict', tone: 'good' },
  explains: 'Events whose data does not match the schema are refused.',
};
const DOCUMENTED: Status = {
  ...{ text: 'Schema', tone: 'quiet' },
  explains: 'The schema describes the data, and nothing is refused.',
};
const DEPRECATED: Status = {
  ...{ text: 'Deprecated', tone: 'warn' },
  explains: 'Events of this type can still be published; nobody should begin to use it.',
};

/** @param type - With its version or without. */
export const statusesOf = ({
  strict,
  deprecated,
  has_schema: hasSchema,
}: Pick<EventType, 'strict' | 'deprecated' | 'has_schema'>): readonly Status[] => [
  ...(strict ? [STRICT] : hasSchema ? [DOCUMENTED] : []),
  ...(deprecated ? [DEPRECATED] : []),
];
