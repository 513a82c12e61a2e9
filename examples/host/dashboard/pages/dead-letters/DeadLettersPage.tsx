/** Dead letters. */
import { Empty, Page } from '../../ui/index.js';

const DeadLettersPage = () => (
  <Page title="Dead letters">
    <Empty
      icon="letters"
      title="Nothing to see yet"
      text="Until this page is written, the API does all of it."
    />
  </Page>
);
export default DeadLettersPage;
