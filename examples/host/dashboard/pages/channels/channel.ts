/** A channel, as the parts of its page share them. */
import type { Output } from '../../data/index.js';

export type Channel = Output<'getChannel'>;

/** Props that the parts of the page share. */
export interface ChannelProps {
  readonly channel: Channel;
  readonly onChange: (channel: Channel) => void;
}
