/** The first page: the events. */
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { Page, SkeletonRows } from '../../ui/index.js';

export default function StartPage() {
  const { route } = useLocation();
  useEffect(() => route('/dashboard/events', true), [route]);
  return (
    <Page title="Events">
      <SkeletonRows />
    </Page>
  );
}
