/** Event. */
import { Empty, Page } from '../../ui/index.js';

const EventPage = () => (
  <Page title="Event" back={{ href: '/dashboard/events', text: 'Events' }}>
    <Empty
      icon="events"
      title="Nothing to see yet"
      text="Until this page is written, the API does all of it."
    />
  </Page>
);
export default EventPage;
