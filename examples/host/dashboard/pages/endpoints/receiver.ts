/** A built-in receiver, as the parts of its page share it. */
import type { Output } from '../../data/index.js';

export type Receiver = Output<'getReceiver'>;

export interface ReceiverViewProps {
  readonly receiver: Receiver;
  readonly onChange: (receiver: Receiver) => void;
}
