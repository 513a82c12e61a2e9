/** Saved views: queries under a name, those that everybody has and one's own. */
import { useState } from 'preact/hooks';
import { type Address, searchOf, useSavedViews, isPortal } from '../../data/index.js';
import { Button, Dialog, Icon, Menu, type MenuItem, TextField, toast } from '../../ui/index.js';

const GIVEN = [
  // The portal has processed events alone.
  ...(isPortal
    ? []
    : [
        { name: 'Dropped', search: searchOf({ outcome: 'dropped' }) },
        { name: 'Not decided', search: searchOf({ outcome: 'not_decided' }) },
      ]),
  { name: 'Last hour', search: searchOf({ since: '1h' }) },
];

export function Views({ address }: { readonly address: Address }) {
  const { views, save, remove } = useSavedViews('events');
  const [isNaming, setNaming] = useState(false);
  const { search, go } = address;
  const shown = [...GIVEN, ...views].find((view) => view.search === search);
  const own = views.find((view) => view.search === search);
  const item = (view: (typeof GIVEN)[number]): MenuItem => ({
    text: view.name,
    checked: view === shown,
    onSelect: () => go(view.search),
  });
  const items: readonly MenuItem[] = [
    { text: 'All events', checked: search === '', onSelect: () => go('') },
    ...GIVEN.map(item),
    ...(views.length === 0 ? [] : (['line'] as const)),
    ...views.map(item),
    'line',
    { text: 'Save this view…', icon: 'plus', disabled: search === '', onSelect: () => setNaming(true) },
    ...(own === undefined
      ? []
      : [
          {
            text: `Delete “${own.name}”`,
            icon: 'trash' as const,
            danger: true,
            onSelect: () => remove(own.name),
          },
        ]),
  ];
  return (
    <>
      <Menu label={shown === undefined ? 'Views' : `View: ${shown.name}`} icon="bookmark" items={items} end>
        {shown?.name ?? 'Views'}
        <Icon name="down" size={12} />
      </Menu>
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            save({ name, search });
            setNaming(false);
            toast(`The view “${name}” is saved in this browser`);
          }}
        />
      )}
    </>
  );
}

function NameDialog({
  onClose,
  onName,
}: {
  readonly onClose: () => void;
  readonly onName: (name: string) => void;
}) {
  const [name, setName] = useState('');
  return (
    <Dialog
      title="Save this view"
      onClose={onClose}
      onSubmit={() => {
        if (name.trim() !== '') onName(name.trim());
      }}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={name.trim() === ''}>
            Save
          </Button>
        </>
      }
    >
      <TextField label="Name" value={name} onInput={setName} maxLength={60} autoFocus />
    </Dialog>
  );
}
