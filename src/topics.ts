/** Topics: what happened, in the sender's words, and the subscriptions of endpoints to them. */

/** The members of an event that name what happened. */
export interface Named {
  readonly type: string;
  /** Such as `invoice.paid`. Without one, the event's type is its topic. */
  readonly topic?: string | null | undefined;
}

/** The topic of an event. */
export const topicOf = ({ topic, type }: Named): string => topic ?? type;

/**
 * The entries that cover a topic: the topic itself and, for each dot in it, the part before the dot followed by `.*`.
 * Use them to find the subscribers of an event in an index, instead of asking each endpoint.
 *
 * @example
 * ```ts
 * import { topicEntries } from 'headgate/delivery';
 *
 * console.log(topicEntries('invoice.line.added')); // [ 'invoice.line.added', 'invoice.*', 'invoice.line.*' ]
 * ```
 */
export function topicEntries(topic: string): readonly string[] {
  const entries = [topic];
  for (let dot = topic.indexOf('.'); dot >= 0; dot = topic.indexOf('.', dot + 1)) {
    entries.push(`${topic.slice(0, dot)}.*`);
  }
  return entries;
}

/**
 * Whether a subscription covers a topic.
 *
 * @param topics - Topics, and prefixes that end with `.*`: `invoice.*` covers `invoice.paid` and `invoice.line.added`,
 * but not `invoice`. `null` covers every topic.
 */
export const coversTopic = (topics: readonly string[] | null | undefined, topic: string): boolean =>
  topics === null ||
  topics === undefined ||
  topics.some((entry) => entry === topic || (entry.endsWith('.*') && topic.startsWith(entry.slice(0, -1))));
