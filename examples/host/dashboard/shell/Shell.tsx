/** The frame of all pages: navigation, project, palette, keys, and what may befall any page: no network, no session. */
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useCallback, useState } from 'preact/hooks';
import {
  api,
  currentProject,
  GUIDE,
  isPortal,
  online,
  useCommands,
  useLiveTail,
  useResource,
} from '../data/index.js';
import { type Attention, cappedCount, useAttention } from '../parts/attention.js';
import { useAgain } from '../parts/use-again.js';
import { announced, Icon, IconButton, type IconName, Kbd, Menu, Skeleton, Toasts } from '../ui/index.js';
import { PLANS } from '../words/statuses.js';
import { Account } from './Account.js';
import { useKeys } from './keys.js';
import { useLook } from './look.js';
import { useAnswersOffline } from './offline.js';
import { Palette } from './Palette.js';
import { SessionDialog } from './SessionDialog.js';
import './Shell.css';
import { Shortcuts } from './Shortcuts.js';

/** An entry of the navigation. */
export interface Entry {
  readonly href: string;
  readonly title: string;
  readonly icon: IconName;
  /** Goes there after `g`. */
  readonly key: string;
  /** The number that is beside its title. */
  readonly counts?: keyof Attention;
  /** A gap precedes it. */
  readonly isApart?: boolean;
}

/** How often the counts of what needs attention are read again. */
const COUNT_MS = 30_000;
/** The meaning of each number, for screen readers. */
const COUNTED = { alerts: 'open', failing_endpoints: 'failing', dead_letters: 'to look at' } as const;

/** Entries in the dock of a narrow window; the others are in its menu. */
const DOCKED = 4;

interface ShellProps {
  readonly entries: readonly Entry[];
  readonly children: ComponentChildren;
}

export function Shell({ entries, children }: ShellProps) {
  const { path, route } = useLocation();
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null);
  const openPalette = useCallback(() => setOpen('palette'), []);
  const openShortcuts = useCallback(() => setOpen('shortcuts'), []);
  const close = useCallback(() => setOpen(null), []);
  useKeys(openPalette);
  useAnswersOffline();
  useLiveTail();
  useCommands([
    ...entries.map(({ title, href, key }) => ({
      text: `Go to ${title}`,
      keys: `g ${key}`,
      group: 'Pages',
      run: () => route(href),
    })),
    ...(isPortal
      ? []
      : [{ text: 'Getting started: open the guide', group: 'Help', run: () => route(GUIDE) }]),
    { text: 'Show the keyboard shortcuts', keys: '?', group: 'Help', run: openShortcuts },
  ]);
  const bar = { entries, path, onPalette: openPalette, onShortcuts: openShortcuts };
  return (
    <>
      <a class="hg-skip" href="#main">
        Skip to the page
      </a>
      <div class="hg-shell">
        <TopBar {...bar} />
        <SideBar {...bar} />
        <main class="hg-main" id="main" tabIndex={-1}>
          {!online.value && <OfflineBanner />}
          {children}
        </main>
        <Dock {...bar} />
      </div>
      {open === 'palette' && <Palette onClose={close} goTo={route} />}
      {open === 'shortcuts' && <Shortcuts onClose={close} />}
      <SessionDialog />
      <Toasts />
      <div class="hg-unseen" role="status" aria-live="polite">
        {announced.value}
      </div>
    </>
  );
}

interface BarProps {
  readonly entries: readonly Entry[];
  /** The path of the page. */
  readonly path: string;
  readonly onPalette: () => void;
  readonly onShortcuts: () => void;
}

const TopBar = ({ onPalette, onShortcuts }: BarProps) => (
  <header class="hg-bar">
    <Heading />
    <div class="hg-bar__buttons">
      <IconButton icon="search" label="Commands" onClick={onPalette} />
      <Account onShortcuts={onShortcuts} end />
    </div>
  </header>
);

const SideBar = ({ entries, path, onPalette, onShortcuts }: BarProps) => (
  <header class="hg-side">
    {isPortal ? <PortalBrand /> : <Project />}
    <button type="button" class="hg-search" onClick={onPalette}>
      <Icon name="search" size={14} />
      Search
      <Kbd keys="mod+k" />
    </button>
    <nav class="hg-nav" aria-label="Main">
      {entries.map((entry) => (
        <>
          {entry.isApart === true && <div class="hg-nav__gap" />}
          <NavLink entry={entry} path={path} />
        </>
      ))}
    </nav>
    <div class="hg-side__foot">
      <Account onShortcuts={onShortcuts} text={isPortal ? 'Settings' : 'Account'} />
    </div>
  </header>
);

/** The navigation of a narrow window. */
function Dock({ entries, path }: BarProps) {
  const attention = useAttention();
  useAgain(attention.reload, COUNT_MS);
  return (
    <nav class="hg-dock" aria-label="Main, short">
      {entries.slice(0, DOCKED).map((entry) => (
        <NavLink key={entry.href} entry={entry} path={path} />
      ))}
      {entries.length > DOCKED && (
        <Menu
          kind="quiet"
          icon="more"
          label="More pages"
          end
          items={entries.slice(DOCKED).map(({ title, icon, href, counts }) => {
            const count = textOf(attention.value, counts);
            return { icon, href, text: count === null ? title : `${title} (${count})` };
          })}
        >
          More
        </Menu>
      )}
    </nav>
  );
}

const OfflineBanner = () => (
  <div class="hg-banner" role="status">
    <Icon name="offline" size={14} />
    The service cannot be reached. What you see may be out of date; it updates as soon as the service answers.
  </div>
);

const NavLink = ({
  entry: { href, title, icon, counts },
  path,
}: {
  readonly entry: Entry;
  readonly path: string;
}) => (
  <a
    class="hg-nav__link"
    href={href}
    aria-current={path === href || path.startsWith(`${href}/`) ? 'page' : undefined}
  >
    <Icon name={icon} />
    <span class="hg-cut">{title}</span>
    {counts !== undefined && <Count of={counts} />}
  </a>
);

const textOf = (attention: Attention | undefined, of: keyof Attention | undefined): string | null => {
  const counted = of === undefined ? 0 : (attention?.[of] ?? 0);
  return counted === 0 ? null : cappedCount(counted);
};

function Count({ of }: { readonly of: keyof Attention }) {
  const count = textOf(useAttention().value, of);
  return count === null ? null : (
    <span class="hg-nav__count">
      {count}
      <span class="hg-unseen"> {COUNTED[of]}</span>
    </span>
  );
}

const useProject = () => {
  const project = currentProject();
  return useResource(`project ${project}`, (signal) => api.getProject({ project, signal })).value;
};

function Brand() {
  const project = useProject();
  return (
    <div class="hg-side__name">
      <img src="/dashboard/icon.svg" alt="" width="20" height="20" />
      <span class="hg-cut" title={project?.name}>
        {project?.name ?? <Skeleton width="96px" />}
      </span>
    </div>
  );
}

function Project() {
  const project = useProject();
  return (
    <div class="hg-side__project">
      <Brand />
      <span class="hg-side__plan">{project === undefined ? ' ' : `${PLANS[project.plan]} plan`}</span>
    </div>
  );
}

const Heading = isPortal ? PortalBrand : Brand;

function PortalBrand() {
  const look = useLook();
  const logo = look?.logo_url ?? null;
  return (
    <div class="hg-side__name hg-side__name--portal">
      {logo !== null && <img src={logo} alt="" height="24" />}
      <span class="hg-cut" title={look?.name}>
        {look?.name ?? <Skeleton width="96px" />}
      </span>
    </div>
  );
}
