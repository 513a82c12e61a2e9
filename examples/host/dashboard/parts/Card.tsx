/** A section in a frame. */
import type { ComponentChildren } from 'preact';
import { Section } from '../ui/index.js';

export const Card = ({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <div class="hg-card">
    <Section title={title} actions={actions}>
      {children}
    </Section>
  </div>
);
