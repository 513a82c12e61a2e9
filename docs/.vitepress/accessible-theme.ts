/** Fixes the two components of VitePress's theme that are not accessible. */
type Change = readonly [from: RegExp, to: string];

/** Changes by the end of the file's name; each must find something, since another version may need others. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  '/NotFound.vue': [
    [/<div class="NotFound">/, '<main class="NotFound">'],
    [/<\/div>(?=\s*<\/template>)/, '</main>'],
    [/:aria-label="theme[^"]*"/, ''],
  ],
  // A button with fields and links in it, and options with links in them, become a dialog with a list of links.
  '/VPLocalSearchBox.vue': [
    [/role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/, 'role="dialog"'],
    [/:aria-activedescendant="[^"]*"\s+aria-autocomplete="both"/, ''],
    [/:role="[^"]*"\s+:aria-labelledby="[^"]*"/, ''],
    [/:aria-selected="[^"]*"\s+role="option"/, ''],
    [/:aria-label="\[\.\.\.p\.titles[^"]*"/, ''],
    [/<kbd(?= :aria-label)/g, '<kbd role="img"'],
  ],
};

export const accessibleTheme = {
  name: 'accessible-theme',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | null {
    const found = Object.entries(CHANGES).find(([name]) => id.endsWith(name));
    return found === undefined ? null : found[1].reduce(changed, code);
  },
};

function changed(code: string, [from, to]: Change): string {
  if (code.search(from) < 0) throw new Error(`the theme has no ${from.source}`);
  return code.replace(from, to);
}
