/** The first page: how the project does, and what needs attention. Everything on it leads to the page about it. */
import { useRef } from 'preact/hooks';
import { api, currentProject, useAddress, useLive, useResource } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { type Span, SPAN_TEXTS, spanOf } from '../../parts/time-range.js';
import { useAgain } from '../../parts/use-again.js';
import { Page, Select, Skeleton } from '../../ui/index.js';
import { Attention } from './Attention.js';
import { Figures } from './Figures.js';
import { FlowPlots } from './FlowPlots.js';
import './overview.css';
import { Rules } from './Rules.js';

const REFRESH_MS = 60_000;
/** An hour is read again this soon after something has happened. */
const NEWS_MS = 15_000;

const OPTIONS = (Object.keys(SPAN_TEXTS) as Span[]).map((value) => ({ value, text: SPAN_TEXTS[value] }));

export default function OverviewPage() {
  const project = currentProject();
  const { query, set } = useAddress();
  const span = spanOf(query) ?? '24h';
  const overview = useResource(`overview ${project} ${span}`, (signal) =>
    api.getOverview({ project, query: { window: span }, signal }),
  );
  useFreshness(overview.reload, span);
  return (
    <Page
      title="Overview"
      actions={
        <Select
          label="Time"
          hideLabel
          value={span}
          options={OPTIONS}
          onChange={(to) => set({ since: to === '24h' ? '' : to })}
        />
      }
    >
      <Loaded of={overview} skeleton={<OverviewSkeleton />}>
        {(value) => (
          <div class="hg-overview">
            <Figures overview={value} span={span} />
            <FlowPlots overview={value} span={span} />
            <Attention overview={value} span={span} />
            <Rules overview={value} span={span} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** Reads it again every minute; the last hour also once something has happened. */
function useFreshness(reload: () => void, span: Span): void {
  const isNews = useRef(false);
  const again = (): void => {
    isNews.current = false;
    reload();
  };
  useLive(({ kind }) => {
    if (kind !== 'begins') isNews.current = true;
  });
  useAgain(again, REFRESH_MS);
  useAgain(
    () => {
      if (isNews.current) again();
    },
    span === '1h' ? NEWS_MS : null,
  );
}

const OverviewSkeleton = () => (
  <div class="hg-stack" role="status" aria-label="Loading">
    <Skeleton height="92px" />
    <Skeleton height="236px" />
    <Skeleton height="236px" />
  </div>
);
