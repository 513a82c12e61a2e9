/** The pages: the address of each, and its entry in the navigation. All are loaded when they are opened. */
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { GUIDE, isPortal, OVERVIEW, ROOT, sessionState } from './data/index.js';
import { latePage, type LatePage } from './shell/late-page.js';
import { reloadPage } from './shell/offline.js';
import { type Entry, Shell } from './shell/Shell.js';
import { Failure } from './ui/index.js';

/** A page, and its entry in the navigation where it has one. */
interface PageEntry {
  readonly path: string;
  /** The portal has it, too, below its own root. */
  readonly isShared?: true;
  readonly page: LatePage;
  readonly nav?: Omit<Entry, 'href'>;
}

const DASHBOARD: readonly PageEntry[] = [
  { path: '/dashboard', page: latePage(() => import('./pages/first-run/HomePage.js')) },
  { path: GUIDE, page: latePage(() => import('./pages/first-run/StartPage.js')) },
  {
    path: OVERVIEW,
    page: latePage(() => import('./pages/overview/OverviewPage.js')),
    nav: { title: 'Overview', icon: 'overview', key: 'o' },
  },
  {
    path: '/dashboard/events',
    isShared: true,
    page: latePage(() => import('./pages/events/EventsPage.js')),
    nav: { title: 'Events', icon: 'events', key: 'e' },
  },
  {
    path: '/dashboard/replays',
    isShared: true,
    page: latePage(() => import('./pages/replays/ReplaysPage.js')),
  },
  {
    path: '/dashboard/events/:event',
    isShared: true,
    page: latePage(() => import('./pages/events/EventPage.js')),
  },
  {
    path: '/dashboard/rules',
    page: latePage(() => import('./pages/rules/RulesPage.js')),
    nav: { title: 'Rules', icon: 'rules', key: 'r' },
  },
  { path: '/dashboard/rules/new', page: latePage(() => import('./pages/rules/NewRulePage.js')) },
  { path: '/dashboard/rules/:rule', page: latePage(() => import('./pages/rules/RulePage.js')) },
  {
    path: '/dashboard/endpoints',
    isShared: true,
    page: latePage(() => import('./pages/endpoints/EndpointsPage.js')),
    nav: { title: 'Endpoints', icon: 'endpoints', key: 'n', counts: 'failing_endpoints' },
  },
  {
    path: '/dashboard/endpoints/:endpoint',
    isShared: true,
    page: latePage(() => import('./pages/endpoints/EndpointPage.js')),
  },
  {
    path: '/dashboard/receivers/:receiver',
    page: latePage(() => import('./pages/endpoints/ReceiverPage.js')),
  },
  {
    path: '/dashboard/dead-letters',
    isShared: true,
    page: latePage(() => import('./pages/dead-letters/DeadLettersPage.js')),
    nav: { title: 'Dead letters', icon: 'letters', key: 'd', counts: 'dead_letters' },
  },
  {
    path: '/dashboard/alerts',
    page: latePage(() => import('./pages/alerts/AlertsPage.js')),
    nav: { title: 'Alerts', icon: 'alerts', key: 'l', counts: 'alerts' },
  },
  {
    path: '/dashboard/channels',
    page: latePage(() => import('./pages/channels/ChannelsPage.js')),
    nav: { title: 'Channels', icon: 'channels', key: 'c', isApart: true },
  },
  { path: '/dashboard/channels/:channel', page: latePage(() => import('./pages/channels/ChannelPage.js')) },
  {
    path: '/dashboard/event-types',
    page: latePage(() => import('./pages/event-types/EventTypesPage.js')),
    nav: { title: 'Event types', icon: 'types', key: 't' },
  },
  {
    path: '/dashboard/event-types/:type',
    page: latePage(() => import('./pages/event-types/EventTypePage.js')),
  },
  {
    path: '/dashboard/clients',
    page: latePage(() => import('./pages/clients/ClientsPage.js')),
    nav: { title: 'SDK clients', icon: 'clients', key: 's' },
  },
  {
    path: '/dashboard/project',
    page: latePage(() => import('./pages/project/ProjectPage.js')),
    nav: { title: 'Project', icon: 'project', key: 'p', isApart: true },
  },
  {
    path: '/dashboard/audit',
    page: latePage(() => import('./pages/project/AuditPage.js')),
    nav: { title: 'Audit log', icon: 'audit', key: 'a' },
  },
  { path: '/dashboard/components', page: latePage(() => import('./pages/components/ComponentsPage.js')) },
];
/** The pages of this address: all of them, or those that the portal has. */
const PAGES: readonly PageEntry[] = isPortal
  ? [
      { path: ROOT, page: latePage(() => import('./pages/portal/OpenPage.js')) },
      ...DASHBOARD.filter(({ isShared }) => isShared).map((entry) => ({
        ...entry,
        path: entry.path.replace('/dashboard', ROOT),
      })),
    ]
  : DASHBOARD;
const ClosedPage: LatePage = latePage(() => import('./pages/portal/ClosedPage.js'));
const SignInPage: LatePage = latePage(() => import('./pages/sign-in/SignInPage.js'));
const MissingPage: LatePage = latePage(() => import('./pages/MissingPage.js'));

const ENTRIES: readonly Entry[] = PAGES.flatMap(({ path, nav }) =>
  nav === undefined ? [] : [{ href: path, ...nav }],
);

/** Links to other paths, such as the API's reference, leave the pages. */
const SCOPE = isPortal ? /^\/portal(?:[/?#]|$)/ : /^\/(?:dashboard(?:[/?#]|$)|sign-in(?:[?#]|$))/;

/** Loads the page of a path while it is still being found out who is signed in. */
export function preload(path: string): void {
  const page = PAGES.find((entry) => entry.path === path.replace(/\/$/, ''))?.page;
  void page?.preload().catch(() => undefined);
}

export const App = () => (
  <LocationProvider scope={SCOPE}>
    <Entrance />
  </LocationProvider>
);

/** The pages are for people who are signed in. */
function Entrance() {
  const { path, url, route } = useLocation();
  const { status } = sessionState.value;
  const isSignIn = path === '/sign-in';
  const leaves = status === 'out' && !isSignIn && !isPortal;
  useEffect(() => {
    if (leaves) route(`/sign-in?${new URLSearchParams({ to: url }).toString()}`, true);
  }, [leaves, url, route]);
  if (isSignIn) return <Pages pages={[{ path: '/sign-in', page: SignInPage }]} />;
  if (isPortal && status === 'out') return <ClosedPage />;
  if (status === 'unknown' || status === 'out') return null;
  return (
    <Shell entries={ENTRIES}>
      <Pages pages={PAGES} />
    </Shell>
  );
}

/** The page of the address. One that cannot be loaded, or fails, leaves the frame as it is. */
function Pages({ pages }: { readonly pages: readonly PageEntry[] }) {
  const [failedAt, setFailedAt] = useState<string | null>(null);
  const { url } = useLocation();
  if (failedAt === url) {
    return (
      <Failure
        title="This page could not be shown"
        text="Reload it. What you have written in forms is kept."
        onRetry={reloadPage}
      />
    );
  }
  return (
    <ErrorBoundary
      onError={(error: unknown) => {
        console.error(error);
        setFailedAt(url);
      }}
    >
      <Router onRouteChange={focusPage}>
        {[
          ...pages.map(({ path, page }) => <Route key={path} path={path} component={page} />),
          <Route key="none" default component={MissingPage} />,
        ]}
      </Router>
    </ErrorBoundary>
  );
}

/** Screen readers go on at the new page, as they do after a reload. A frame leaves the focus to the page around it. */
function focusPage(): void {
  if (window.parent !== window && !document.hasFocus()) return;
  document.getElementById('main')?.focus({ preventScroll: true });
}
