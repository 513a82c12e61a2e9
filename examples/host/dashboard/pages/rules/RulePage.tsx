/**
 * One rule: edited, tried, enabled, deleted. What is written survives a reload, and another's edit is shown beside it.
 */
import { useLocation, useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, useCommands, useResource } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { editRule, RuleEditor, useProjectFacts } from '../../parts/rule-editor/index.js';
import { Badge, Button, Notice, Page, Time, toast } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { ACTIONS, statusOf } from '../../words/statuses.js';
import { inOwnTask } from './all-rules.js';
import { DeleteDialog } from './DeleteDialog.js';
import { RuleActions } from './RuleActions.js';
import { type Editing, type Opened as OpenedRule, useEditing } from './use-editing.js';
import { SaveProblem } from './use-save.js';
import { Versions, type VersionsProps } from './Versions.js';

const BACK = { href: '/dashboard/rules', text: 'Rules' };

const RulePage = () => {
  const { rule: id = '' } = useRoute().params;
  const project = currentProject();
  const rule = useResource(`rule ${project} ${id}`, (signal) =>
    inOwnTask(api.getRule({ project, rule: id, signal })),
  );
  if (rule.value === undefined) {
    return (
      <Page title="Rule" back={BACK}>
        <Loaded of={rule}>{() => null}</Loaded>
      </Page>
    );
  }
  return <Opened key={id} project={project} resource={rule} rule={rule.value} />;
};
export default RulePage;

function Opened(props: OpenedRule) {
  const { project, resource, rule } = props;
  const editing = useEditing(props);
  const { edit, saving, put, discard } = editing;
  const [isDeleting, setDeleting] = useState(false);
  const save = (): void => void saving.save();
  const askDelete = (): void => setDeleting(true);
  useCommands([
    { text: 'Save the rule', group: 'Rule', run: save },
    { text: 'Delete the rule', group: 'Rule', run: askDelete },
  ]);
  const actions = (
    <RuleActions
      {...{ project, rule, isDirty: edit.isDirty, isBusy: saving.isBusy }}
      onChanged={(answer) => {
        edit.keepUp(answer);
        put(answer);
      }}
      onFailed={resource.reload}
      onDelete={askDelete}
      onDiscard={discard}
      onSave={save}
    />
  );
  return (
    <Page
      title={rule.name}
      back={BACK}
      heading={<Heading rule={rule} />}
      text={<Matches rule={rule} />}
      actions={mayManage() && actions}
    >
      <Body {...{ project, rule, editing }} />
      {isDeleting && <Deleting {...{ project, rule, editing }} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

interface PartProps extends Pick<OpenedRule, 'project' | 'rule'> {
  readonly editing: Editing;
}

function Body({ project, rule, editing: { edit, checked, conflict, saving } }: PartProps) {
  const facts = useProjectFacts(project);
  const restore = (version: Parameters<VersionsProps['onRestore']>[0]): void => {
    edit.change(editRule(version));
    scrollTo({ top: 0 });
    toast('The version is in the editor. Save the rule to restore it.');
  };
  return (
    <>
      {edit.isCrossed && conflict.dialog === null && (
        <Crossed onCompare={() => void saving.attempt(conflict.open)} />
      )}
      <SaveProblem problem={saving.problem} />
      <RuleEditor
        {...{ project, editor: edit.editor, checked, facts, isStrict: saving.isStrict }}
        onChange={edit.change}
        saved={edit.isDirty ? rule : undefined}
      />
      <Versions {...{ project, rule }} onRestore={restore} />
      {conflict.dialog}
    </>
  );
}

function Deleting({ project, rule, editing, onClose }: PartProps & { readonly onClose: () => void }) {
  const { route } = useLocation();
  return (
    <DeleteDialog
      project={project}
      rule={rule}
      onClose={onClose}
      onDone={() => {
        editing.discard();
        editing.all.reload();
        route('/dashboard/rules');
      }}
    />
  );
}

const Crossed = ({ onCompare }: { readonly onCompare: () => void }) => (
  <Notice
    tone="warn"
    action={
      <Button size="s" onClick={onCompare}>
        Compare
      </Button>
    }
  >
    Somebody has saved this rule since you began to write.
  </Notice>
);

const Heading = ({ rule }: Pick<OpenedRule, 'rule'>) => (
  <span class="hg-row">
    {rule.name} <Badge status={statusOf(ACTIONS, rule.action.type)} />
  </span>
);

const Matches = ({ rule: { counts } }: Pick<OpenedRule, 'rule'>) => (
  <>
    {counted(counts.matched, 'event')} matched
    {counts.last_matched_at !== null && (
      <>
        , the last <Time at={counts.last_matched_at} />
      </>
    )}
  </>
);
