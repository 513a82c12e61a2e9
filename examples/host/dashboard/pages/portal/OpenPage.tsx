/** The beginning of the portal: leads to the endpoints. */
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { ROOT } from '../../data/index.js';
import { SkeletonRows } from '../../ui/index.js';

export default function OpenPage() {
  const { route } = useLocation();
  useEffect(() => route(`${ROOT}/endpoints`, true), [route]);
  return <SkeletonRows rows={5} height={57} />;
}
