/** The conditions of a search, in the builder that rules have. Loaded when it is opened. */
import { useMemo, useState } from 'preact/hooks';
import { currentProject } from '../../data/index.js';
import { checkedMatch, editMatch, MatchEditing } from '../../parts/rule-editor/index.js';
import { Button, Dialog, Notice } from '../../ui/index.js';
import { isTooLong } from './match-address.js';

export interface SearchDialogProps {
  /** JSON of the conditions that are set; empty for none. */
  readonly match: string;
  readonly onSearch: (match: string) => void;
  readonly onClose: () => void;
}

export function SearchConditions({
  title,
  match,
  onSearch,
  onClose,
}: SearchDialogProps & { readonly title: string }) {
  const [editor, setEditor] = useState(() => editMatch(match));
  const [isStrict, setStrict] = useState(false);
  const checked = useMemo(() => checkedMatch(editor), [editor]);
  const tooLong = isTooLong(checked.text);
  const submit = (): void => {
    setStrict(true);
    if (checked.isValid && !tooLong) onSearch(checked.text);
  };
  return (
    <Dialog
      title={title}
      size="wide"
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" icon="search">
            Search
          </Button>
        </>
      }
    >
      <div class="hg-stack">
        <p class="hg-soft">Searches the payload of each event as it was received, newest first.</p>
        <MatchEditing project={currentProject()} {...{ editor, checked, isStrict }} onChange={setEditor} />
        {isStrict && tooLong && (
          <Notice tone="bad">
            These conditions are too long for an address. Use fewer or shorter values.
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
