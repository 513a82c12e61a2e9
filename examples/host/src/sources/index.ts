/**
 * The table of sources: how the requests of a channel are verified. All use of a source goes through the functions
 * here.
 */
import type { HeaderPairs } from '../http/headers.js';
import { github } from './github.js';
import { headgate } from './headgate.js';
import { none } from './none.js';
import { type SettingsIssue, settingsIssues } from './settings.js';
import { slack } from './slack.js';
import {
  type DeliveryId,
  refused,
  type Source,
  type SourceRequest,
  type SourceSettings,
  type Verdict,
} from './source.js';
import { standardWebhooks } from './standard-webhooks.js';
import { stripe } from './stripe.js';
import { token } from './token.js';
import { orderingKeyIn, topicIn } from './topic.js';

export type { SettingsIssue } from './settings.js';
export { channelPathProblem } from './topic.js';
export type { DeliveryId, Source, SourceRequest, SourceSettings, Verdict } from './source.js';

export const sources = {
  none,
  github,
  stripe,
  slack,
  standard_webhooks: standardWebhooks,
  headgate,
  token,
} as const satisfies Record<string, Source>;

export type SourceName = keyof typeof sources;

/** The channel to which a request is sent. */
export interface IngestChannel {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly address: string;
  /** `webhook` takes requests of providers, `api` events that its own project publishes. */
  readonly type: 'webhook' | 'api';
  /** The path of the topic, instead of what the source says; null if the channel has set none. */
  readonly topicPath: string | null;
  /** Path of the ordering key; null for none. */
  readonly orderingPath: string | null;
  /** True if the request named it by its address, false if by its id, which opens nothing without a key. */
  readonly byAddress: boolean;
  readonly source: { readonly name: SourceName; readonly settings: SourceSettings };
  readonly requiresKey: boolean;
}

export const isSourceName = (name: string): name is SourceName => Object.hasOwn(sources, name);

/** All problems of the settings for a source, to be told when they are saved. */
export const checkSourceSettings = (name: SourceName, settings: SourceSettings): readonly SettingsIssue[] =>
  settingsIssues(sources[name], settings);

/** Whether a request is genuine. An unknown source, and settings that cannot be used, refuse every request. */
export function verifySource(name: SourceName, request: SourceRequest, settings: SourceSettings): Verdict {
  if (!isSourceName(name)) return refused('unknown_source');
  if (checkSourceSettings(name, settings).length > 0) return refused('unusable_settings');
  return sources[name].verify(request, settings);
}

/**
 * The provider's own id of a delivery, by which a repeat is recognised; `null` if there is none, or one that is not 1
 * to 255 characters of visible ASCII. Call it only after {@link verifySource}.
 */
export function deliveryIdOf(
  name: SourceName,
  request: Pick<SourceRequest, 'headers' | 'body'>,
): DeliveryId | null {
  const found = sources[name].deliveryId(request);
  return found !== null && /^[!-~]{1,255}$/.test(found.id) ? found : null;
}

/**
 * The text to answer a request with, as `text/plain`, where the provider asks for it before it sends anything; such a
 * request is not an event. Otherwise `null`. Call it after {@link verifySource}.
 */
export const challengeOf = (name: SourceName, body: Uint8Array): string | null =>
  sources[name].challenge(body);

/** Names, in lower case, of headers that carry a secret of the settings. They must not be stored. */
export const secretHeadersOf = (name: SourceName, settings: SourceSettings): readonly string[] =>
  sources[name].secretHeaders(settings);

/** The words that a request has for itself. */
export interface Described {
  /** Says what happened, as its provider names it; null if the request does not say. */
  readonly topic: string | null;
  readonly orderingKey: string | null;
}

/** @param data - JSON text of the event's `data`. */
export const describedBy = (
  { source, topicPath, orderingPath }: Pick<IngestChannel, 'source' | 'topicPath' | 'orderingPath'>,
  headers: HeaderPairs,
  data: string,
): Described => ({
  topic: topicIn(sources[source.name].topic, topicPath, headers, data),
  orderingKey: orderingPath === null ? null : orderingKeyIn(orderingPath, data),
});
