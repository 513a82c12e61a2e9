/** The end of a list that is read page by page. */
import type { ComponentChildren } from 'preact';
import { Button } from './Button.js';
import './States.css';

export interface PagerProps {
  /** Whether there is another page. */
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly onMore: () => void;
  /** Such as `50 rules` or how far a search has looked. */
  readonly text?: ComponentChildren;
}

export const Pager = ({ hasMore, busy, onMore, text }: PagerProps) => (
  <div class="hg-pager">
    {text !== undefined && <span>{text}</span>}
    {hasMore && (
      <Button size="s" busy={busy} onClick={onMore}>
        Show more
      </Button>
    )}
  </div>
);
