/** The conditions and groups of a group: in their order, which can be changed, with buttons that add more. */
import { Button, IconButton, Menu, type MenuItem, Select } from '../../ui/index.js';
import { SortableList } from '../SortableList.js';
import type { Faults } from './faults.js';
import { LeafRow } from './LeafRow.js';
import { changeLeaf, isSpare, joinBy, mayNest, moveIn, moveOut, nameIn, wrap } from './model/match-edits.js';
import { bareLeaf, childPointer, type GroupForm, type Join, type NodeForm } from './model/match-form.js';
import type { FoundPath } from './model/paths.js';
import type { MatchEdits } from './use-match-edits.js';

interface Shared {
  readonly project: string;
  readonly paths: readonly FoundPath[];
  readonly faults: Faults;
  readonly edits: MatchEdits;
}

export interface GroupItemsProps extends Shared {
  readonly group: GroupForm;
  readonly pointer: string;
}

const NO_CONDITION =
  'There is no condition yet. A rule needs one, so that none matches every event by mistake.';

export function GroupItems({ group, pointer, ...shared }: GroupItemsProps) {
  const { edits, faults } = shared;
  const { form } = edits;
  const isOutermost = group.id === form.id;
  const pointerOf = (node: NodeForm): string =>
    node === bareLeaf(form) ? pointer : childPointer(pointer, group, group.children.indexOf(node));
  return (
    <>
      {isOutermost && group.children.length > 1 && (
        <JoinSelect label="An event matches if" {...{ group, edits }} />
      )}
      <SortableList
        label={isOutermost ? 'Conditions' : `Conditions of ${nameIn(form, group.id)}`}
        items={group.children}
        itemKey={({ id }) => String(id)}
        itemName={({ id }) => nameIn(form, id)}
        onMove={(from, to) => edits.moveWithin(group, from, to)}
        onShift={(node, way, from, to) => edits.shift(node, way, [from, to])}
      >
        {(node) =>
          node.kind === 'leaf' ? (
            <LeafRow
              {...shared}
              name={nameIn(form, node.id)}
              leaf={node}
              pointer={pointerOf(node)}
              onChange={(next) => edits.change(changeLeaf(form, node.id, () => next))}
            >
              <NodeButtons node={node} edits={edits} />
            </LeafRow>
          ) : (
            <GroupBox {...shared} group={node} pointer={pointerOf(node)} />
          )
        }
      </SortableList>
      {group.children.length === 0 && (
        <p class="hg-soft">{faults.at(`${pointer}/${group.join}`) ?? NO_CONDITION}</p>
      )}
      <AddButtons group={group} edits={edits} />
    </>
  );
}

function GroupBox(props: GroupItemsProps) {
  const { group, edits } = props;
  const name = nameIn(edits.form, group.id);
  return (
    <div class="hg-group" role="group" aria-label={name.replace(/^g/, 'G')}>
      <div class="hg-group__head">
        <JoinSelect label={`How ${name} is joined`} isHidden {...{ group, edits }} />
        <NodeButtons node={group} edits={edits} />
      </div>
      <GroupItems {...props} />
    </div>
  );
}

interface OfGroup {
  readonly group: GroupForm;
  readonly edits: MatchEdits;
}

const JoinSelect = ({
  label,
  isHidden = false,
  group,
  edits: { form, change },
}: OfGroup & { readonly label: string; readonly isHidden?: boolean }) => (
  <Select<Join>
    label={label}
    hideLabel={isHidden}
    value={group.join}
    options={[
      { value: 'all', text: 'all of these hold' },
      { value: 'any', text: 'at least one of these holds' },
    ]}
    onChange={(join) => change(joinBy(form, group, join))}
  />
);

function AddButtons({ group, edits }: OfGroup) {
  const isOutermost = group.id === edits.form.id;
  const to = isOutermost ? '' : ` to ${nameIn(edits.form, group.id)}`;
  const size = isOutermost ? 'm' : 's';
  return (
    <div class="hg-row">
      <Button icon="plus" size={size} label={`Add a condition${to}`} onClick={() => edits.add(group, 'leaf')}>
        Add a condition
      </Button>
      {mayNest(edits.form, group) && (
        <Button icon="plus" size={size} label={`Add a group${to}`} onClick={() => edits.add(group, 'group')}>
          Add a group
        </Button>
      )}
    </div>
  );
}

/** A menu with all ways to move a node, and the button that removes it. */
function NodeButtons({ node, edits }: { readonly node: NodeForm; readonly edits: MatchEdits }) {
  const { form } = edits;
  const name = nameIn(form, node.id);
  const items: MenuItem[] = [
    {
      text: 'Move into the group next to it',
      disabled: moveIn(form, node.id) === null,
      onSelect: () => edits.shift(node, 'in'),
    },
    {
      text: 'Move out of its group',
      disabled: moveOut(form, node.id) === null,
      onSelect: () => edits.shift(node, 'out'),
    },
    {
      text: 'Put into a new group',
      disabled: wrap(form, node.id) === null,
      onSelect: () => edits.wrap(node),
    },
    ...(node.kind === 'group' ? [{ text: 'Ungroup', onSelect: () => edits.unwrap(node) }] : []),
  ];
  return (
    <div class="hg-node-buttons">
      <Menu kind="quiet" icon="more" end label={`More about ${name}`} items={items} />
      {isSpare(form, node) && (
        <IconButton icon="trash" label={`Remove ${name}`} onClick={() => edits.remove(node)} />
      )}
    </div>
  );
}
