/** Audit log. */
import { Empty, Page } from '../../ui/index.js';

const AuditPage = () => (
  <Page title="Audit log">
    <Empty
      icon="audit"
      title="Nothing to see yet"
      text="Until this page is written, the API does all of it."
    />
  </Page>
);
export default AuditPage;
