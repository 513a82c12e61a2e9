/** The icons, drawn in a square of 16. They are decoration: the name is beside them, or on their button. */

const PATHS = {
  account: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5a5 5 0 0 1 10 0',
  overview: 'M2.5 13.5v-4h2.5v4zM6.75 13.5v-7h2.5v7zM11 13.5v-11h2.5v11z',
  events: 'M2 4h12M2 8h9M2 12h6',
  rules: 'M2 3h12L9.5 8.5V13l-3-1.5v-3z',
  endpoints: 'M2 8h8M7 4.5 10.5 8 7 11.5M13.5 3v10',
  channels: 'M14 8H6M9 4.5 5.5 8 9 11.5M2.5 3v10',
  clients: 'M5.5 5 2.5 8l3 3M10.5 5l3 3-3 3M9 3.5l-2 9',
  letters: 'M2 4h12v8.5H2zM2 4.5l6 4.5 6-4.5',
  alerts: 'M8 2.5a4 4 0 0 1 4 4c0 3.5 1.5 5 1.5 5h-11S4 10 4 6.5a4 4 0 0 1 4-4zM6.5 13.5h3',
  project: 'M2 5.5 8 2.5l6 3v5l-6 3-6-3zM2 5.5l6 3 6-3M8 8.5v5',
  types: 'M2.5 3.5h4v4h-4zM2.5 9.5h4v4h-4zM9 5.5h4.5M9 11.5h4.5',
  audit: 'M4 2.5h8v11H4zM6 6h4M6 8.5h4M6 11h2',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3 3',
  filter: 'M2 4h12M4.5 8h7M6.5 12h3',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5 6.5 12 13 4.5',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  down: 'M4 6.5 8 10.5 12 6.5',
  right: 'M6.5 4 10.5 8 6.5 12',
  left: 'M9.5 4 5.5 8l4 4',
  up: 'M4 9.5 8 5.5l4 4',
  warning: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.5M8 12h.01',
  failure: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.5M8 11h.01',
  offline: 'M2 2l12 12M4.5 7.5a6 6 0 0 1 2-1.3M9 6a6 6 0 0 1 2.5 1.5M6.5 10a2.5 2.5 0 0 1 3 0M8 12.5h.01',
  replay: 'M3 8a5 5 0 1 1 1.5 3.5M3 12.5V9h3.5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5 12 8l-7 4.5z',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9',
  edit: 'M3 13l.5-3L10.5 3 13 5.5 6 12.5z',
  drag: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 9.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
  link: 'M6.5 9.5l3-3M7.5 4.5 9 3a2.8 2.8 0 0 1 4 4l-1.5 1.5M8.5 11.5 7 13a2.8 2.8 0 0 1-4-4l1.5-1.5',
  theme: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12',
  leave: 'M6.5 2.5h-4v11h4M6.5 8h7M10.5 5l3 3-3 3',
  bookmark: 'M4 2.5h8v11L8 10.5l-4 3z',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS[name]} />
  </svg>
);
