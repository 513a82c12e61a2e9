/** Keys as they are labelled on the keyboard. */
import './States.css';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);
const NAMES: Readonly<Record<string, string>> = {
  mod: IS_MAC ? '⌘' : 'Ctrl',
  enter: '↵',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
};

/** Such as `mod+k` (⌘ or Ctrl), `?`, or `g e` for one after the other. */
export const Kbd = ({ keys }: { readonly keys: string }) => (
  <span class="hg-kbd">
    {keys.split(/[+ ]/).map((key, index) => (
      <kbd key={index}>{NAMES[key.toLowerCase()] ?? (key.length === 1 ? key.toUpperCase() : key)}</kbd>
    ))}
  </span>
);
