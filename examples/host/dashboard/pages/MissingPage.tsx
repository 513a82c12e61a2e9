/** An address that leads nowhere. */
import { Button, Empty, Page } from '../ui/index.js';

const MissingPage = () => (
  <Page title="No such page">
    <Empty
      title="There is no page at this address"
      text="It may have been moved, or the address is not whole."
    >
      <Button href="/dashboard/events">Go to the events</Button>
    </Empty>
  </Page>
);
export default MissingPage;
