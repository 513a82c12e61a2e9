/** The settings of channels. */
import type { ChannelType } from '../stored/event-json.js';
import type { SourceIn } from './routes.js';

/** The settings of a new channel. */
export interface NewChannel {
  readonly name: string;
  readonly type: ChannelType;
  readonly source: SourceIn;
  readonly requires_key: boolean;
  readonly topic_path: string | null;
  readonly ordering_path: string | null;
}
