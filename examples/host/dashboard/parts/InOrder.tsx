/** A delivery's part in the order of its key: it waits, it holds others back, or neither. */
import type { Output } from '../data/index.js';
import { visible } from '../words/visible.js';
import './InOrder.css';

type Order = NonNullable<Output<'getDelivery'>['order']>;

export function InOrder({ order }: { readonly order: Order }) {
  const { key, is_waiting: isWaiting, is_holding: isHolding } = order;
  const shown = <bdi class="hg-mono hg-in-order__key">{visible(key)}</bdi>;
  if (isWaiting) return <span>waits for an earlier delivery with the key {shown}</span>;
  if (isHolding) return <span>holds back later deliveries with the key {shown}</span>;
  return <span>one at a time with the key {shown}</span>;
}
