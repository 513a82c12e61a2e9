/** Endpoints. */
import { Empty, Page } from '../../ui/index.js';

const EndpointsPage = () => (
  <Page title="Endpoints">
    <Empty
      icon="endpoints"
      title="Nothing to see yet"
      text="Until this page is written, the API does all of it."
    />
  </Page>
);
export default EndpointsPage;
