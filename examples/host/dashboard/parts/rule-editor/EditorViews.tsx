/** The builder and the JSON of an editor, as two tabs. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce, Notice, Tabs } from '../../ui/index.js';
import type { ViewRefusal } from './model/editor.js';

/** An editor that shows one of two views. */
interface Viewed {
  readonly view: 'builder' | 'json';
}

export interface EditorViewsProps<Editor extends Viewed> {
  /** The name of the tabs for screen readers. */
  readonly label: string;
  readonly editor: Editor;
  readonly onChange: (editor: Editor) => void;
  /** The editor in its other view, or why the builder cannot show it. */
  readonly turned: (editor: Editor) => Editor | ViewRefusal;
  readonly builder: (showJson: () => void) => ComponentChildren;
  readonly json: () => ComponentChildren;
}

export function EditorViews<Editor extends Viewed>(props: EditorViewsProps<Editor>) {
  const { label, editor, onChange, turned, builder, json } = props;
  // A refusal holds until the editor changes.
  const [refused, setRefused] = useState<{ readonly editor: Editor; readonly why: string } | null>(null);
  const show = (view: Editor['view']): void => {
    if (view === editor.view) return;
    const shown = turned(editor);
    if ('why' in shown) {
      setRefused({ editor, why: shown.why });
      announce(`The builder cannot show this. ${shown.why}`);
    } else onChange(shown);
  };
  return (
    <Tabs
      label={label}
      tabs={[
        { id: 'builder', text: 'Builder' },
        { id: 'json', text: 'JSON' },
      ]}
      selected={editor.view}
      onSelect={show}
    >
      <div class="hg-stack">
        {refused?.editor === editor && (
          <Notice tone="warn">The builder cannot show this. {refused.why}</Notice>
        )}
        {editor.view === 'builder' ? builder(() => show('json')) : json()}
      </div>
    </Tabs>
  );
}
