/** x */
import { Empty, Page } from '../../ui/index.js';
const EventsPage = () => <Page title="Events"><Empty title="x" /></Page>;
export default EventsPage;
