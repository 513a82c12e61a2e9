/** The parts that differ between two values, each with its path, before and after. */
import { jsonExcerpt } from '../words/json-view.js';
import './Diff.css';

/** A part that differs; `undefined`: there is nothing on that side. As `diffJson` of the package gives it. */
export interface Change {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface DiffProps {
  /** The name for screen readers. */
  readonly label: string;
  readonly changes: readonly Change[];
}

const MOST_TEXT = 2_000;

export const Diff = ({ label, changes }: DiffProps) => (
  <ul class="hg-diff" aria-label={label}>
    {changes.map(({ path, before, after }) => (
      <li key={path}>
        <div class="hg-diff__path">{path === '' ? 'the whole value' : path}</div>
        {before !== undefined && (
          <del class="hg-diff__side">
            <span class="hg-unseen">before: </span>
            {jsonExcerpt(before, MOST_TEXT)}
          </del>
        )}
        {after !== undefined && (
          <ins class="hg-diff__side">
            <span class="hg-unseen">after: </span>
            {jsonExcerpt(after, MOST_TEXT)}
          </ins>
        )}
      </li>
    ))}
  </ul>
);
