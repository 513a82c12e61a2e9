/** An address that leads nowhere. */
import { ROOT } from '../data/index.js';
import { Button, Empty, Page } from '../ui/index.js';

const MissingPage = () => (
  <Page title="Page not found">
    <Empty title="There is nothing at this address" text="Check that the address is complete.">
      <Button href={`${ROOT}/events`}>Go to the events</Button>
    </Empty>
  </Page>
);
export default MissingPage;
