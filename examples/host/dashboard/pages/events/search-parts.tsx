/** The parts of a search of payloads, which are loaded when somebody searches. */
import { useResource } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { Dialog, Skeleton, SkeletonRows } from '../../ui/index.js';
import type { SearchBarProps } from './SearchBar.js';
import type { SearchDialogProps } from './SearchConditions.js';

const TITLE = 'Search payloads';

export function SearchDialog(props: SearchDialogProps) {
  const loaded = useResource('conditions of a search', () => import('./SearchConditions.js'));
  const { SearchConditions } = loaded.value ?? {};
  if (SearchConditions !== undefined) return <SearchConditions title={TITLE} {...props} />;
  return (
    <Dialog title={TITLE} size="wide" onClose={props.onClose}>
      <Loaded of={loaded} skeleton={<SkeletonRows rows={4} height={40} />}>
        {() => null}
      </Loaded>
    </Dialog>
  );
}

export function LateSearchBar(props: SearchBarProps) {
  const loaded = useResource('bar of a search', () => import('./late-search.js'));
  return (
    <Loaded of={loaded} skeleton={<Skeleton height="28px" />}>
      {({ SearchBar }) => <SearchBar {...props} />}
    </Loaded>
  );
}
