/** The first address: it leads an empty project to the guide, and any other to its overview. */
import { useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { api, currentProject, GUIDE, OVERVIEW, useDraft, useResource } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { Page, SkeletonRows } from '../../ui/index.js';
import { guideOf, NO_GUIDE } from './guide.js';

export default function HomePage() {
  const { route } = useLocation();
  const project = currentProject();
  const guide = useDraft(guideOf(project), NO_GUIDE).value;
  const events = useResource(`any event ${project}`, (signal) =>
    api.listEvents({ project, query: { limit: 1 }, signal }),
  );
  const { state } = events;
  const isKnown = state.status === 'ready' && !state.stale;
  const isEmpty = isKnown && state.value.items.length === 0;
  const to = guide.isUnderWay || isEmpty ? GUIDE : isKnown ? OVERVIEW : null;
  useEffect(() => {
    if (to !== null) route(to, true);
  }, [to, route]);
  return (
    <Page title="Headgate">
      <Loaded of={events} skeleton={<SkeletonRows rows={5} height={64} />}>
        {() => <SkeletonRows rows={5} height={64} />}
      </Loaded>
    </Page>
  );
}
