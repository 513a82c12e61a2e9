/**
 * Every text that a page shows goes through here, no matter who wrote it: what is invisible, or reverses the text
 * beside it, is written out. So no component can forget to. Values of fields stay as they are, since people edit and
 * send them.
 */
import { options } from 'preact';
import { visible } from '../words/visible.js';

/** Attributes that are shown or read out. */
const SHOWN = ['title', 'alt', 'placeholder', 'aria-label', 'aria-description', 'aria-valuetext'] as const;

/** As Preact makes it: a text is a node without a type, and its props are the text. */
interface AnyNode {
  readonly type: unknown;
  props: unknown;
}

const before = options.vnode;
options.vnode = (node) => {
  writeOut(node);
  before?.(node);
};

function writeOut(node: AnyNode): void {
  if (node.type === null) {
    if (typeof node.props === 'string') node.props = visible(node.props);
  } else if (typeof node.type === 'string') {
    const props = node.props as Record<string, unknown>;
    for (const name of SHOWN) {
      const text = props[name];
      if (typeof text === 'string') props[name] = visible(text);
    }
  }
}
