/** Grey shapes of the size of what is being loaded, so that nothing jumps when it comes. */
import './States.css';

export interface SkeletonProps {
  /** CSS lengths. */
  readonly width?: string;
  readonly height?: string;
}

export const Skeleton = ({ width = '100%', height = '14px' }: SkeletonProps) => (
  <span class="hg-skeleton" style={{ width, height }} />
);

/** Rows of a list or a table. */
export const SkeletonRows = ({
  rows = 6,
  height = 40,
}: {
  readonly rows?: number;
  readonly height?: number;
}) => (
  <div role="status" aria-label="Loading">
    <ul class="hg-skeleton-rows" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <li key={index} style={{ height: `${height}px` }}>
          <Skeleton width={`${28 + ((index * 17) % 30)}%`} />
          <Skeleton width="72px" />
        </li>
      ))}
    </ul>
  </div>
);
