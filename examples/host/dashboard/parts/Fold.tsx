/** Something that few people need, closed until it is asked for. */
import type { ComponentChildren } from 'preact';
import './Fold.css';

export const Fold = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) => (
  <details class="hg-fold">
    <summary>{title}</summary>
    {children}
  </details>
);
