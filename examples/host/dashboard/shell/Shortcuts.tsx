/** All keys that work on this page. */
import { useMemo } from 'preact/hooks';
import { commands } from '../data/index.js';
import { Dialog, Kbd } from '../ui/index.js';

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const list = useMemo(() => commands().filter(({ keys }) => keys !== undefined), []);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="hg-keys">
        <dt>Open the command palette</dt>
        <dd>
          <Kbd keys="mod+k" />
        </dd>
        {list.map(({ text, keys = '' }) => (
          <>
            <dt>{text}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
