/** Channels. */
import { Empty, Page } from '../../ui/index.js';

const ChannelsPage = () => (
  <Page title="Channels">
    <Empty
      icon="channels"
      title="Nothing to see yet"
      text="Until this page is written, the API does all of it."
    />
  </Page>
);
export default ChannelsPage;
