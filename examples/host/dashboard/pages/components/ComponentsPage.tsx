/** All components in all their states, to look at and to test. */
import { Empty, Page } from '../../ui/index.js';
const ComponentsPage = () => <Page title="Components"><Empty title="x" /></Page>;
export default ComponentsPage;
