/** SDK clients. */
import { Empty, Page } from '../../ui/index.js';

const ClientsPage = () => (
  <Page title="SDK clients">
    <Empty
      icon="clients"
      title="Nothing to see yet"
      text="Until this page is written, the API does all of it."
    />
  </Page>
);
export default ClientsPage;
