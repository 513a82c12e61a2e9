/** Rules. */
import { Empty, Page } from '../../ui/index.js';

const RulesPage = () => (
  <Page title="Rules">
    <Empty
      icon="rules"
      title="Nothing to see yet"
      text="Until this page is written, the API does all of it."
    />
  </Page>
);
export default RulesPage;
