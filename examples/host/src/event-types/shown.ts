/** Event types as the API and the audit log show them. */
import { iso } from '../api/shapes.js';
import type { EventType, EventTypeItem } from './routes.js';
import type { EventTypeRow, ItemRow } from './statements.js';

export const shownItem = (row: ItemRow): EventTypeItem => ({
  name: row.name,
  description: row.description,
  deprecated: row.deprecated === 1,
  strict: row.strict === 1,
  has_schema: row.has_schema === 1,
  version: row.version,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

export const shownEventType = (row: EventTypeRow): EventType => ({
  ...shownItem({ ...row, has_schema: row.schema === null ? 0 : 1 }),
  schema: documentOf(row.schema),
  example: documentOf(row.example),
});

/** The members that people set. */
export const auditedEventType = (row: EventTypeRow): object => {
  const { name, description, schema, example, deprecated, strict } = shownEventType(row);
  return { name, description, schema, example, deprecated, strict };
};

const documentOf = (json: string | null): Record<string, unknown> | null =>
  json === null ? null : (JSON.parse(json) as Record<string, unknown>);
