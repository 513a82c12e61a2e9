/** All rules, in the order in which they are evaluated. */
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { currentProject, mayManage, useCommands } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { Button, Empty, Menu, Page } from '../../ui/index.js';
import { type ShownRule, useAllRules } from './all-rules.js';
import { DeleteDialog } from './DeleteDialog.js';
import { ImportDialog } from './ImportDialog.js';
import { RuleList } from './RuleList.js';
import './RulesPage.css';
import { TemplatesDialog } from './TemplatesDialog.js';

type Opened = 'import' | 'templates' | { readonly remove: ShownRule } | null;

const RulesPage = () => {
  const project = currentProject();
  const { route } = useLocation();
  const all = useAllRules(project);
  const [opened, setOpened] = useState<Opened>(null);
  const openTemplates = (): void => setOpened('templates');
  const openImport = (): void => setOpened('import');
  const close = (): void => setOpened(null);
  useCommands(
    mayManage()
      ? [
          { text: 'New rule', keys: 'c', run: () => route('/dashboard/rules/new') },
          { text: 'Begin a rule from a template', run: openTemplates },
          { text: 'Import rules', run: openImport },
        ]
      : [],
  );
  return (
    <Page
      title="Rules"
      text="Each event meets them in this order. The first drop that matches ends it; the effects of all others add up."
      actions={
        <Actions
          exportUrl={`/projects/${project}/rules/export`}
          onImport={openImport}
          onTemplates={openTemplates}
        />
      }
    >
      <Loaded of={all}>
        {(value) =>
          value.rules.length === 0 ? (
            <NoRules onTemplates={openTemplates} />
          ) : (
            <RuleList
              project={project}
              all={all}
              value={value}
              onRemove={(remove) => setOpened({ remove })}
            />
          )
        }
      </Loaded>
      {opened === 'import' && <ImportDialog project={project} onClose={close} onDone={all.reload} />}
      {opened === 'templates' && <TemplatesDialog onClose={close} />}
      {opened !== null && typeof opened === 'object' && (
        <DeleteDialog
          project={project}
          rule={opened.remove}
          onClose={close}
          onDone={() => {
            close();
            all.reload();
          }}
        />
      )}
    </Page>
  );
};
export default RulesPage;

interface Openers {
  readonly onImport: () => void;
  readonly onTemplates: () => void;
}

const Actions = ({ exportUrl, onImport, onTemplates }: Openers & { readonly exportUrl: string }) => (
  <>
    <Menu
      label="More"
      icon="more"
      end
      items={[
        ...(mayManage() ? [{ text: 'Import…', onSelect: onImport } as const] : []),
        { text: 'Export', href: exportUrl },
      ]}
    />
    {mayManage() && (
      <>
        <Button onClick={onTemplates}>Templates</Button>
        <Button kind="primary" icon="plus" href="/dashboard/rules/new">
          New rule
        </Button>
      </>
    )}
  </>
);

const NoRules = ({ onTemplates }: Pick<Openers, 'onTemplates'>) => (
  <Empty
    icon="rules"
    title="No rules yet"
    text="Every event goes to every active endpoint. Rules drop, change, route and tag events before that."
  >
    {mayManage() && (
      <>
        <Button onClick={onTemplates}>Begin with a template</Button>
        <Button href="/dashboard/rules/new">Write a rule</Button>
      </>
    )}
  </Empty>
);
