/** The project: what its plan allows, its settings, its keys, and who is signed in. */
import { api, currentProject, mayManage, useResource } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { Button, Copyable, Facts, Notice, Page, Section, Skeleton, Time } from '../../ui/index.js';
import { DeleteProject } from './DeleteProject.js';
import { Keys } from './Keys.js';
import { Plan } from './Plan.js';
import { Portal } from './Portal.js';
import './ProjectPage.css';
import { Sessions } from './Sessions.js';
import { Settings } from './Settings.js';

export default function ProjectPage() {
  const project = currentProject();
  const read = useResource(`project ${project}`, (signal) => api.getProject({ project, signal }));
  return (
    <Page title="Project" actions={<Button href="/dashboard/audit">Audit log</Button>}>
      {!mayManage() && (
        <Notice tone="warn">
          You are signed in by a key that may read only, so you cannot change anything here.
        </Notice>
      )}
      <Section title="Plan">
        <Loaded of={read} skeleton={<Skeleton height="178px" />}>
          {({ plan }) => <Plan plan={plan} />}
        </Loaded>
      </Section>
      <Section title="Settings">
        <Loaded of={read} skeleton={<Skeleton height="420px" />}>
          {(value) => <Settings project={value} onSaved={read.set} onReload={read.reload} />}
        </Loaded>
      </Section>
      {read.value !== undefined && <Portal project={read.value} onSaved={read.set} />}
      <Keys />
      <Sessions />
      <Section title="About">
        <Loaded of={read} skeleton={<Skeleton height="46px" />}>
          {({ id, created_at: at }) => (
            <Facts
              facts={[
                ['Id', <Copyable key="id" text={id} label="the id of the project" />],
                ['Created', <Time key="made" at={at} />],
              ]}
            />
          )}
        </Loaded>
      </Section>
      {read.value !== undefined && <DeleteProject name={read.value.name} />}
    </Page>
  );
}
