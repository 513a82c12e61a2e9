/** The menu at the foot of the navigation: theme, keys, signing out. */
import {
  api,
  currentProject,
  forgetResources,
  GUIDE,
  isPortal,
  mayManage,
  sentenceOf,
  sessionLeft,
  signOut,
  theme,
} from '../data/index.js';
import { Menu, type MenuItem, toast } from '../ui/index.js';
import { counted } from '../words/numbers.js';

const THEMES = [
  ['auto', 'Theme of the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

async function leave(how: () => Promise<unknown>): Promise<void> {
  try {
    await how();
    forgetResources();
  } catch (error) {
    toast(sentenceOf(error), { tone: 'bad' });
  }
}

async function endAll(): Promise<void> {
  const { ended } = await api.endSessions({ project: currentProject() });
  sessionLeft();
  toast(`${counted(ended, 'session')} ended`);
}

const OF_DASHBOARD: readonly MenuItem[] = [
  { text: 'API reference', icon: 'link', href: '/reference' },
  'line',
  { text: 'Sign out', icon: 'leave', onSelect: () => void leave(signOut) },
];

export interface AccountProps {
  readonly onShortcuts: () => void;
  /** Beside the icon. */
  readonly text?: string;
  readonly end?: boolean;
}

export function Account({ onShortcuts, text, end = false }: AccountProps) {
  const items: readonly MenuItem[] = [
    ...THEMES.map(([value, text]) => ({
      text,
      checked: theme.value === value,
      onSelect: () => {
        theme.value = value;
      },
    })),
    'line',
    ...(isPortal ? [] : [{ text: 'Getting started', icon: 'play', href: GUIDE } as const]),
    { text: 'Keyboard shortcuts', icon: 'rules', onSelect: onShortcuts },
    ...(isPortal ? [] : OF_DASHBOARD),
    ...(mayManage() && !isPortal
      ? [
          {
            text: 'Sign out everywhere',
            icon: 'leave' as const,
            danger: true,
            onSelect: () => void leave(endAll),
          },
        ]
      : []),
  ];
  return (
    <Menu
      kind="quiet"
      icon={text === undefined ? 'more' : 'account'}
      label={isPortal ? 'Settings' : 'Account'}
      items={items}
      end={end}
    >
      {text}
    </Menu>
  );
}
