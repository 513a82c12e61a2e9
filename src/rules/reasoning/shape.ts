/** The shape of events, as far as rules rely on it: `EventLike`, in kinds of values. */
import { ARRAY, ANY_KIND, NULL, OBJECT, STRING } from './kinds.js';
import type { Json } from '../../json.js';

/** The kinds of values that may be at a path, if it is present. */
export interface Shape {
  readonly kinds: number;
  /** Whether the value is present whenever the object that it is in is. */
  readonly required?: boolean;
  /** The value to show if any will do. */
  readonly usual?: Json;
  readonly members?: Readonly<Record<string, Shape>>;
  readonly elements?: Shape;
}

const optionalText: Shape = { kinds: STRING + NULL };

export const eventShape: Shape = {
  kinds: OBJECT,
  required: true,
  members: {
    id: { kinds: STRING, required: true, usual: 'evt_1' },
    type: { kinds: STRING, required: true, usual: 'webhook.received' },
    data: { kinds: OBJECT + ARRAY, required: true },
    topic: optionalText,
    status: optionalText,
    received_at: optionalText,
    channel: { kinds: OBJECT + NULL, members: { type: { kinds: STRING, required: true, usual: 'webhook' } } },
    tags: { kinds: ARRAY + NULL, elements: { kinds: STRING } },
  },
};

export const anyShape: Shape = { kinds: ANY_KIND };

/** The shape of a member of an object, or of an element of an array. */
export function shapeWithin(shape: Shape, key: string, isElement: boolean): Shape {
  if (isElement && shape.elements !== undefined) return shape.elements;
  const { members } = shape;
  return members !== undefined && Object.hasOwn(members, key) ? (members[key] as Shape) : anyShape;
}
