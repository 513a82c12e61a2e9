/** The shapes of an event's page while it is loading, of the size of what comes. */
import { Skeleton, SkeletonRows } from '../../ui/index.js';

export const EventSkeleton = () => (
  <div class="hg-stack">
    <Skeleton width="min(420px, 80%)" height="20px" />
    <div class="hg-event__facts" aria-hidden="true">
      {[0, 1, 2].map((key) => (
        <div key={key}>
          <Skeleton width="90px" height="18px" />
          <Skeleton height="18px" />
          <Skeleton height="18px" />
          <Skeleton height="18px" />
        </div>
      ))}
    </div>
    <SkeletonRows rows={4} height={56} />
    <SkeletonRows rows={6} />
  </div>
);
