/** The components that can be used on their own. */
import { useState } from 'preact/hooks';
import {
  Badge,
  Button,
  Checkbox,
  Combobox,
  Empty,
  Failure,
  IconButton,
  Kbd,
  Link,
  Notice,
  OutsideLink,
  Select,
  Skeleton,
  SkeletonRows,
  Switch,
  Tag,
  TextArea,
  TextField,
} from '../../ui/index.js';
import { OUTCOMES } from '../../words/outcomes.js';
import { ACTIONS, DELIVERY_STATES, ENDPOINT_STATUSES } from '../../words/statuses.js';

const COLOURS = [
  ...['page', 'side', 'raised', 'sunken', 'hover', 'chosen', 'line', 'edge'],
  ...['ink', 'soft', 'accent', 'accent-fill', 'good', 'bad', 'busy', 'warn'],
];
const STATUSES = [OUTCOMES, DELIVERY_STATES, ENDPOINT_STATUSES, ACTIONS].flatMap((table) =>
  Object.entries(table).map(([name, status]) => ({ name, status })),
);
const nothing = (): void => undefined;

export const ColourSamples = () => (
  <>
    <div class="hg-swatches">
      {COLOURS.map((name) => (
        <div key={name} class="hg-swatch">
          <span style={{ '--colour': `var(--${name})` }} />
          <span>{name}</span>
        </div>
      ))}
    </div>
    <div class="hg-row">
      {STATUSES.map(({ name, status }) => (
        <Badge key={name} status={status} />
      ))}
      <Badge status={OUTCOMES.delivered} bare />
      <Tag text="large" />
      <Tag text="a tag that is much too long to be shown whole" />
    </div>
  </>
);

export const ButtonSamples = () => (
  <>
    <div class="hg-row">
      <Button kind="primary">Save</Button>
      <Button>Cancel</Button>
      <Button kind="quiet">Show more</Button>
      <Button kind="danger" icon="trash">
        Delete
      </Button>
      <Button kind="primary" busy>
        Saving
      </Button>
      <Button disabled>Cannot</Button>
      <Button href="/dashboard/events" icon="events">
        A link
      </Button>
      <IconButton icon="replay" label="Replay" />
    </div>
    <div class="hg-row">
      <Button size="s" kind="primary">
        Small
      </Button>
      <Button size="s" icon="plus">
        Add
      </Button>
      <Button size="s" pressed icon="filter">
        Pressed
      </Button>
      <IconButton size="s" icon="close" label="Close" />
      <span>
        A <Link href="/dashboard/events">link</Link>, and one{' '}
        <OutsideLink href="https://example.com/">elsewhere</OutsideLink>. <Kbd keys="mod+k" />{' '}
        <Kbd keys="g e" />
      </span>
    </div>
  </>
);

const PATHS = ['data.body.kind', 'data.body.amount', 'data.body.customer.country', 'data.headers.user-agent'];

export function FieldSamples() {
  const [text, setText] = useState('Orders service');
  const [long, setLong] = useState('Line one\nLine two');
  const [choice, setChoice] = useState('eq');
  const [path, setPath] = useState('data.body.kind');
  const [isOn, setOn] = useState(true);
  return (
    <div class="hg-samples">
      <TextField label="Name" value={text} onInput={setText} hint="Shown in lists." />
      <TextField label="URL" type="url" code value="ftp://example.com" onInput={nothing} error="Use https." />
      <TextField label="Retries" optional type="number" placeholder="5" value="" onInput={nothing} />
      <TextField label="Cannot be changed" disabled value="Fixed" onInput={nothing} />
      <Select
        label="Operator"
        value={choice}
        onChange={setChoice}
        options={[
          { value: 'eq', text: 'is' },
          { value: 'gt', text: 'is greater than' },
        ]}
      />
      <Combobox
        label="Path"
        code
        free
        value={path}
        onChange={setPath}
        options={PATHS.map((value) => ({ value, note: 'text' }))}
        hint="From the events of the last day."
      />
      <TextArea label="Description" value={long} onInput={setLong} />
      <div class="hg-stack">
        <Checkbox
          label="Replay paused ones, too"
          hint="They get it at once."
          checked={isOn}
          onChange={setOn}
        />
        <Checkbox label="Not now" checked={false} disabled onChange={nothing} />
        <div class="hg-row">
          <Switch label="Enabled" checked={isOn} onChange={setOn} />
          <Switch label="Disabled" checked={false} onChange={nothing} />
          <Switch label="Locked" checked disabled onChange={nothing} />
        </div>
      </div>
    </div>
  );
}

export const StateSamples = () => (
  <>
    <div class="hg-samples">
      <div class="hg-card">
        <Empty icon="rules" title="No rules yet" text="Create one from an event, or begin with a template.">
          <Button kind="primary">New rule</Button>
        </Empty>
      </div>
      <div class="hg-card">
        <Failure text="The service cannot be reached." onRetry={nothing} />
      </div>
      <div class="hg-card">
        <SkeletonRows rows={4} />
        <Skeleton width="60%" />
      </div>
    </div>
    <Notice tone="bad" action={<Button size="s">Try again</Button>}>
      The rule could not be saved: the value of the second condition is missing.
    </Notice>
    <Notice tone="warn">This rule never matches: two of its conditions contradict each other.</Notice>
    <Notice tone="good">The rule is saved, and holds for the next event.</Notice>
    <Notice tone="busy">3 of 20 dead letters are redelivered.</Notice>
  </>
);
