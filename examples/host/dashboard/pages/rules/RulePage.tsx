/**
 * One rule: edited, tried, enabled, deleted. What is written survives a reload, and another's edit is shown beside it.
 */
import { useLocation, useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import {
  api,
  currentProject,
  hasCode,
  mayManage,
  type Resource,
  useCommands,
  useResource,
} from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import {
  ConflictDialog,
  editRule,
  RuleEditor,
  useChecked,
  useProjectFacts,
  type Written,
} from '../../parts/rule-editor/index.js';
import { Badge, Button, Notice, Page, Time, toast } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { ACTIONS, statusOf } from '../../words/statuses.js';
import { inOwnTask, type ShownRule, useAllRules, useDrops } from './all-rules.js';
import { DeleteDialog } from './DeleteDialog.js';
import { type RuleEdit, useRuleEdit, writtenIn, writtenOf } from './rule-edit.js';
import { RuleActions } from './RuleActions.js';
import { SaveProblem, useSave } from './use-save.js';

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

interface OpenedProps {
  readonly project: string;
  readonly resource: Resource<ShownRule>;
  readonly rule: ShownRule;
}

function Opened(props: OpenedProps) {
  const { project, resource, rule } = props;
  const { route } = useLocation();
  const facts = useProjectFacts(project);
  const { all, edit, checked, conflict, saving, put, discard } = useEditing(props);
  const { editor, isDirty } = edit;
  const { isStrict, isBusy, problem } = saving;
  const [isDeleting, setDeleting] = useState(false);
  const save = (): void => void saving.save();
  const askDelete = (): void => setDeleting(true);
  useCommands([
    { text: 'Save the rule', group: 'Rule', run: save },
    { text: 'Delete the rule', group: 'Rule', run: askDelete },
  ]);
  return (
    <Page
      title={rule.name}
      back={BACK}
      heading={<Heading rule={rule} />}
      text={<Matches rule={rule} />}
      actions={
        mayManage() && (
          <RuleActions
            {...{ project, rule, isDirty, isBusy }}
            onChanged={(answer) => {
              edit.keepUp(answer);
              put(answer);
            }}
            onFailed={resource.reload}
            onDelete={askDelete}
            onDiscard={discard}
            onSave={save}
          />
        )
      }
    >
      {edit.isCrossed && conflict.dialog === null && (
        <Crossed onCompare={() => void saving.attempt(conflict.open)} />
      )}
      <SaveProblem problem={problem} />
      <RuleEditor {...{ project, editor, checked, facts, isStrict }} onChange={edit.change} />
      {conflict.dialog}
      {isDeleting && (
        <DeleteDialog
          project={project}
          rule={rule}
          onClose={() => setDeleting(false)}
          onDone={() => {
            discard();
            all.reload();
            route('/dashboard/rules');
          }}
        />
      )}
    </Page>
  );
}

/** The edit of the rule, the findings about it, and what saves or discards it. */
function useEditing(props: OpenedProps) {
  const { project, resource, rule } = props;
  const all = useAllRules(project);
  const edit = useRuleEdit(project, rule);
  const checked = useChecked(edit.editor, useDrops(all.value, rule.id));
  const conflict = useConflict(props, edit);
  /** Shows what the service has answered. */
  const put = (answer: ShownRule): void => {
    resource.set(answer);
    all.reload();
  };
  const saving = useSave(checked, async (body) => {
    try {
      const answer = await api.replaceRule({ project, rule: rule.id, body, ifMatch: edit.version });
      if (edit.settle(answer)) saving.reset();
      put(answer);
      toast(
        answer.warnings.length === 0 ? 'The rule is saved' : 'The rule is saved; see the warnings below it',
      );
    } catch (problem) {
      if (!hasCode(problem, 'version_conflict')) throw problem;
      await conflict.open();
    }
  });
  const discard = (): void => {
    edit.discard();
    saving.reset();
  };
  return { all, edit, checked, conflict, saving, put, discard };
}

/** The dialog in which the edit is put together with the rule that somebody else has saved. */
function useConflict({ project, resource, rule }: OpenedProps, edit: RuleEdit) {
  const [theirs, setTheirs] = useState<ShownRule | null>(null);
  const open = async (): Promise<void> => {
    const now = await api.getRule({ project, rule: rule.id });
    resource.set(now);
    setTheirs(now);
  };
  const close = (): void => setTheirs(null);
  const dialog = theirs && (
    <ConflictDialog
      base={edit.base}
      mine={writtenIn(edit.editor) ?? edit.base}
      theirs={writtenOf(theirs)}
      onTake={(chosen: Written | 'mine') => {
        edit.rebase(chosen === 'mine' ? edit.editor : editRule(chosen), theirs);
        close();
        toast('Both versions are put together. Save the rule to keep it.');
      }}
      onClose={close}
    />
  );
  return { open, dialog };
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

const Heading = ({ rule }: Pick<OpenedProps, 'rule'>) => (
  <span class="hg-row">
    {rule.name} <Badge status={statusOf(ACTIONS, rule.action.type)} />
  </span>
);

const Matches = ({ rule: { counts } }: Pick<OpenedProps, 'rule'>) => (
  <>
    {counted(counts.matched, 'event')} matched
    {counts.last_matched_at !== null && (
      <>
        , the last <Time at={counts.last_matched_at} />
      </>
    )}
  </>
);
