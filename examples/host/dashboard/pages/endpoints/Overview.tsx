/** How the deliveries and attempts to an endpoint went: in numbers, over time, and why some failed. */
import { useState } from 'preact/hooks';
import { api, currentProject, useAddress, useResource, isPortal } from '../../data/index.js';
import { useAgain } from '../../parts/use-again.js';
import { Loaded } from '../../parts/Loaded.js';
import { Empty, Section, Select, Skeleton } from '../../ui/index.js';
import { count, percent } from '../../words/numbers.js';
import { duration } from '../../words/time.js';
import type { Endpoint } from './endpoint-list.js';
import { Failures } from './Failures.js';
import { type Health, type Period, PERIODS } from './health.js';
import { HealthPlots, type Share, SHARES } from './HealthPlots.js';
import { Pauses } from './Pauses.js';

const REFRESH_MS = 10_000;

export function Overview({ endpoint }: { readonly endpoint: Endpoint }) {
  const project = currentProject();
  const { query, set } = useAddress();
  const period: Period = PERIODS.find(({ value }) => value === query.period)?.value ?? 'day';
  const health = useResource(`endpoint health ${project} ${endpoint.id} ${period}`, (signal) =>
    api.getEndpointHealth({ project, endpoint: endpoint.id, query: { period }, signal }),
  );
  useAgain(health.reload, REFRESH_MS);
  const [share, setShare] = useState<Share>('p95_ms');
  return (
    <div class="hg-endpoint">
      <Section
        title="Deliveries and attempts"
        actions={
          <>
            <Select label="Latency in which" hideLabel value={share} options={SHARES} onChange={setShare} />
            <Select
              label="Time"
              hideLabel
              value={period}
              options={PERIODS}
              onChange={(to) => set({ period: to === 'day' ? '' : to })}
            />
          </>
        }
      >
        <Loaded of={health} skeleton={<HealthSkeleton />}>
          {(value) => (
            <>
              <Figures health={value} />
              {value.attempts === 0 ? (
                <Empty
                  icon="endpoints"
                  title="No attempts in this time"
                  text="Send a test to see that the endpoint answers. Tests are not counted here."
                />
              ) : (
                <HealthPlots health={value} period={period} share={share} />
              )}
            </>
          )}
        </Loaded>
      </Section>
      {health.value !== undefined && health.value.failed > 0 && (
        <Failures endpoint={endpoint} health={health.value} />
      )}
      {!isPortal && <Pauses endpoint={endpoint} />}
    </div>
  );
}

const HealthSkeleton = () => (
  <div class="hg-stack" role="status" aria-label="Loading">
    <Skeleton height="62px" />
    <Skeleton height="180px" />
    <Skeleton height="180px" />
  </div>
);

const ms = (value: number | null): string => (value === null ? '–' : duration(value));

/** The numbers of the whole time. */
const Figures = ({ health }: { readonly health: Health }) => (
  <dl class="hg-figures">
    {(
      [
        ['Success rate', health.success_rate === null ? '–' : percent(health.success_rate)],
        ['Deliveries', count(health.delivered + health.undelivered)],
        ['Attempts', count(health.attempts)],
        ['Failed attempts', count(health.failed)],
        ['p50', ms(health.p50_ms)],
        ['p95', ms(health.p95_ms)],
        ['p99', ms(health.p99_ms)],
        ['Slowest', ms(health.slowest_ms)],
      ] as const
    ).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
