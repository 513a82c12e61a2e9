/** The tokens of an accent that somebody has chosen, light or dark enough to be read. Pure. */

/** Red, green and blue, each from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** The least contrast of text, by WCAG 2.2. */
const READABLE = 4.5;
const [WHITE, BLACK]: readonly [Rgb, Rgb] = [
  [255, 255, 255],
  [0, 0, 0],
];
/**
 * The surfaces on which links stand, of the light and of the dark theme, that contrast least with them: a chosen row is
 * tinted with the accent itself.
 */
const [LIGHT, DARK]: readonly [Rgb, Rgb] = [
  [236, 239, 243],
  [34, 40, 63],
];

const rgbOf = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** Relative luminance, by WCAG 2.2. */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(rgbOf(one)), luminance(rgbOf(other))].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

/** Mixes a colour with black or white, in steps, until it can be read on a surface. */
function readableOn(surface: Rgb, colour: Rgb, towards: Rgb): string {
  const against = hexOf(surface);
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = hexOf(colour.map((part, i) => part + ((towards[i] ?? 0) - part) * share) as never as Rgb);
    if (contrast(mixed, against) >= READABLE) return mixed;
  }
  return hexOf(towards);
}

/**
 * The custom properties of an accent. Links and focus are readable on the surfaces of each theme, and so is the text on
 * buttons, which keep the colour as it is.
 *
 * @param accent - Such as `#3d56d6`.
 */
export function accentsOf(accent: string): Readonly<Record<string, string>> {
  const colour = rgbOf(accent);
  const text = `light-dark(${readableOn(LIGHT, colour, BLACK)}, ${readableOn(DARK, colour, WHITE)})`;
  const onFill = contrast(accent, '#ffffff') >= contrast(accent, '#000000') ? '#ffffff' : '#000000';
  return {
    '--accent': text,
    '--focus': text,
    '--accent-fill': accent,
    '--on-accent': onFill,
    '--chosen': `color-mix(in srgb, ${accent} 10%, var(--page))`,
  };
}
