/** Channel. */
import { Empty, Page } from '../../ui/index.js';

const ChannelPage = () => (
  <Page title="Channel" back={{ href: '/dashboard/channels', text: 'Channels' }}>
    <Empty
      icon="channels"
      title="Nothing to see yet"
      text="Until this page is written, the API does all of it."
    />
  </Page>
);
export default ChannelPage;
