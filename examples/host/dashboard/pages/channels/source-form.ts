/** The form of a source: what is typed, and the body that it makes. Pure. */
import type { Input, Output } from '../../data/index.js';
import { type SourceName, SOURCES } from './sources.js';

export interface SourceForm {
  readonly source: SourceName;
  readonly header: string;
  /** One for each field; empty ones are left out. */
  readonly secrets: readonly string[];
  readonly requiresKey: boolean;
}

export const EMPTY_SOURCE: SourceForm = { source: 'none', header: '', secrets: [''], requiresKey: false };

export const sourceFormOf = ({ source, requires_key: requiresKey }: Output<'getChannel'>): SourceForm => ({
  ...EMPTY_SOURCE,
  ...{ source: source.name, header: source.header ?? '', requiresKey },
});

type SourceBody = NonNullable<Input<'createChannel'>['body']['source']>;

export const sourceBodyOf = ({ source, header, secrets }: SourceForm): SourceBody => ({
  name: source,
  secrets: SOURCES[source].secret === null ? [] : secrets.filter((secret) => secret !== ''),
  header: source === 'token' ? header.trim() : null,
});
