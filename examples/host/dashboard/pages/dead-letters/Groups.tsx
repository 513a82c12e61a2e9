/** Why the letters failed: cause by cause, each with its cure, and a link that shows those alone. */
import { type Address, currentProject, searchOf, useResource, ROOT } from '../../data/index.js';
import { Link, Skeleton } from '../../ui/index.js';
import { count } from '../../words/numbers.js';
import type { LetterFilter } from './filter.js';
import { countGroups, type Group } from './causes.js';

export interface GroupsProps {
  /** Names the filter. */
  readonly search: string;
  readonly total: number;
  readonly filter: () => LetterFilter;
  readonly address: Address;
}

export function Groups({ search, total, filter, address }: GroupsProps) {
  const project = currentProject();
  const groups = useResource(`dead letter groups ${search} ${total}`, (signal) =>
    countGroups(project, filter(), total, signal),
  );
  if (total === 0) return null;
  if (groups.value === undefined) return <Skeleton height="64px" />;
  return (
    <ul class="hg-causes" aria-label="Why they failed">
      {groups.value.map((group) => (
        <Line key={searchOf(group.query)} group={group} total={total} address={address} />
      ))}
    </ul>
  );
}

interface LineProps {
  readonly group: Group;
  readonly total: number;
  readonly address: Address;
}

const Line = ({ group, total, address }: LineProps) => (
  <li class="hg-causes__line">
    <span class="hg-causes__text">
      <Link href={`${ROOT}/dead-letters?${searchOf({ ...address.query, ...group.query })}`} plain>
        {group.text}
      </Link>
      <span class="hg-soft hg-small">
        {group.cause} {group.cure}
      </span>
    </span>
    <Share share={group.count / total} />
    <span class="hg-causes__count">{count(group.count)}</span>
  </li>
);

/** Decoration: the number is beside it. */
const Share = ({ share }: { readonly share: number }) => (
  <svg class="hg-causes__share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="hg-causes__whole" width="100" height="6" />
    <rect class="hg-causes__part" width={Math.max(1, share * 100)} height="6" />
  </svg>
);
