/**
 * The components of the pages: import them from here only. `/dashboard/components` shows all of
 * them in all their states.
 *
 * - A page is a `Page` with `Section`s; what is loaded comes through `useResource` of data/ and `Loaded` of parts/,
 *   which show `SkeletonRows` of the final size, then the value, or a `Failure` with a button.
 * - A component takes what it shows and callbacks, and knows nothing of the API. It keeps only what is its own, such as
 *   an open menu.
 * - Names are real: `label` is what a screen reader says, and it is required if there is no text. Tests find things by
 *   it.
 * - Colours are tones (`good`, `bad`, `busy`, `warn`, `quiet`), never values; the tables of words/statuses.ts have the
 *   tone and the text of every state. `Badge` shows both, since a colour alone says nothing.
 * - A file `X.tsx` imports its `X.css`; class names begin with `hg-`. No inline `style` text: the CSP forbids it.
 *   `style={{ … }}` goes through CSSOM, and needs units (`'12px'`).
 * - Say what was done with `toast('Saved')`, which tells it to screen readers, too; `announce` tells it to them alone.
 * - A dialog or a menu is open while it is rendered: `{isOpen && <Dialog …/>}`.
 */
import './tokens.css';
import './reset.css';
import './print.css';
import './forced-colors.css';

export { announce, announced } from './announce.js';
export { Badge, type BadgeProps, Tag } from './Badge.js';
export { Button, type ButtonProps, IconButton } from './Button.js';
export { classes } from './classes.js';
export { now } from './clock.js';
export { Code, Copyable, CopyButton, useCopy } from './Code.js';
export { Combobox, type ComboboxProps, type Option, proposals, useActiveInView } from './Combobox.js';
export { Dialog, type DialogProps, Modal } from './Dialog.js';
export { type Change, Diff } from './Diff.js';
export { Empty } from './Empty.js';
export { Failure, Notice } from './Failure.js';
export {
  Checkbox,
  type ControlProps,
  Field,
  type FieldProps,
  Select,
  Switch,
  TextArea,
  TextField,
} from './Field.js';
export { Icon, type IconName } from './Icon.js';
export { type JsonMark, JsonTree } from './JsonTree.js';
export { Kbd } from './Kbd.js';
export { Link, OutsideLink } from './Link.js';
export { useMedia } from './media.js';
export { Menu, type MenuItem } from './Menu.js';
export { Facts, Page, Section, siteName } from './Page.js';
export { Pager } from './Pager.js';
export { Plot, type Series } from './Plot.js';
export { Popover } from './Popover.js';
export { Skeleton, SkeletonRows } from './Skeleton.js';
export { Spark } from './Spark.js';
export { type Column, Table } from './Table.js';
export { Tabs } from './Tabs.js';
export { ExactTime, Time } from './Time.js';
export { TimeLine } from './TimeLine.js';
export { toast, Toasts } from './Toast.js';
export { VirtualList, type VirtualListHandle } from './VirtualList.js';
