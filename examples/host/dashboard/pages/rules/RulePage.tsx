/** Rule. */
import { Empty, Page } from '../../ui/index.js';

const RulePage = () => (
  <Page title="Rule" back={{ href: '/dashboard/rules', text: 'Rules' }}>
    <Empty
      icon="rules"
      title="Nothing to see yet"
      text="Until this page is written, the API does all of it."
    />
  </Page>
);
export default RulePage;
