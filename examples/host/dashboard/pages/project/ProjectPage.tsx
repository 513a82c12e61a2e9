/** Project. */
import { Empty, Page } from '../../ui/index.js';

const ProjectPage = () => (
  <Page title="Project">
    <Empty
      icon="project"
      title="Nothing to see yet"
      text="Until this page is written, the API does all of it."
    />
  </Page>
);
export default ProjectPage;
