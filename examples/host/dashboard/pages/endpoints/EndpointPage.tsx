/** Endpoint. */
import { Empty, Page } from '../../ui/index.js';

const EndpointPage = () => (
  <Page title="Endpoint" back={{ href: '/dashboard/endpoints', text: 'Endpoints' }}>
    <Empty
      icon="endpoints"
      title="Nothing to see yet"
      text="Until this page is written, the API does all of it."
    />
  </Page>
);
export default EndpointPage;
