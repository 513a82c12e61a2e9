/** One rule: edited, tried, enabled, deleted. What is written survives a reload, and another's edit is shown beside it. */
import { useLocation, useRoute } from 'preact-iso/router';
import { useMemo, useRef, useState } from 'preact/hooks';
import {
  api,
  currentProject,
  hasCode,
  mayManage,
  type Resource,
  sentenceOf,
  useCommands,
  useDraft,
  useResource,
} from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import {
  ConflictDialog,
  type Editor,
  editRule,
  printed,
  RuleEditor,
  showJson,
  useChecked,
  useProjectFacts,
  type Written,
} from '../../parts/rule-editor/index.js';
import { Badge, Button, Menu, Notice, Page, Switch, Time, toast } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { ACTIONS, statusOf } from '../../words/statuses.js';
import { inOwnTask, type ShownRule, useAllRules, useDrops } from './all-rules.js';
import { DeleteDialog } from './DeleteDialog.js';
import { focusFirstFault } from './focus.js';
import { Upgrade, type UpgradeProps, upgradeOf } from './Upgrade.js';

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

/** The draft of an edit, with the saved rule and the version from which it began. */
interface Unsaved {
  readonly editor: Editor;
  readonly base: Written;
  readonly version: number;
}

const writtenOf = ({ name, description, match, action, priority }: ShownRule): Written => ({
  name,
  ...(description !== undefined && { description }),
  ...{ match, action, priority },
});

/** The rule as it stands in the editor; null where that is not JSON, or a scalar. */
function writtenIn(editor: Editor): Written | null {
  try {
    const rule = JSON.parse(printed(editor).text) as unknown;
    return typeof rule === 'object' && rule !== null ? rule : null;
  } catch {
    return null;
  }
}

interface OpenedProps {
  readonly project: string;
  readonly resource: Resource<ShownRule>;
  readonly rule: ShownRule;
}

function Opened({ project, resource, rule }: OpenedProps) {
  const { route } = useLocation();
  const all = useAllRules(project);
  const facts = useProjectFacts(project);
  const saved = useMemo(() => editRule(rule), [rule]);
  /** The view of what is saved, shown while nothing is written. */
  const [view, setView] = useState<Editor['view']>('builder');
  const unchanged = useMemo(() => (view === 'json' ? showJson(saved) : saved), [saved, view]);
  const draft = useDraft<Unsaved | null>(`rule ${project} ${rule.id}`, null);
  const editor = draft.value?.editor ?? unchanged;
  const base = draft.value?.base ?? writtenOf(rule);
  const version = draft.value?.version ?? rule.version;
  const checked = useChecked(editor, useDrops(all.value, rule.id));
  const [isStrict, setStrict] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [upgrade, setUpgrade] = useState<UpgradeProps | null>(null);
  const [theirs, setTheirs] = useState<ShownRule | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const isDirty = draft.value !== null;
  const isCrossed = isDirty && rule.version !== version;

  const change = (next: Editor): void => {
    // Another view of what is saved is no change.
    if (!isDirty && next.newer === null) setView(next.view);
    else draft.set({ editor: next, base, version });
  };
  /** Nothing is written any more; the view stays. */
  const end = (shown: Editor['view']): void => {
    draft.clear();
    setView(shown);
    setStrict(false);
    setError(null);
  };
  const done = (): void => end(editor.view);
  const latest = useRef(draft.value);
  latest.current = draft.value;
  /** The rule was saved; what was written while the answer was awaited stays, as an edit of what was saved. */
  const settle = (answer: ShownRule): void => {
    const now = latest.current;
    const isMore = now !== null && printed(now.editor).text !== printed(editor).text;
    if (isMore) draft.set({ editor: now.editor, base: writtenOf(answer), version: answer.version });
    else end((now?.editor ?? editor).view);
  };
  const save = async (): Promise<void> => {
    setStrict(true);
    setBusy(true);
    const { rule: body } = await checked.latest();
    if (body === null) {
      setBusy(false);
      focusFirstFault();
      return;
    }
    setUpgrade(null);
    setError(null);
    try {
      const answer = await api.replaceRule({ project, rule: rule.id, body, ifMatch: version });
      settle(answer);
      resource.set(answer);
      all.reload();
      toast(
        answer.warnings.length === 0 ? 'The rule is saved' : 'The rule is saved; see the warnings below it',
      );
    } catch (problem) {
      if (hasCode(problem, 'version_conflict')) await showTheirs();
      else if (hasCode(problem, 'quota_exceeded')) setUpgrade(upgradeOf(problem.body));
      else setError(sentenceOf(problem));
    }
    setBusy(false);
  };
  const showTheirs = async (): Promise<void> => {
    try {
      const now = await api.getRule({ project, rule: rule.id });
      resource.set(now);
      setTheirs(now);
    } catch (problem) {
      setError(sentenceOf(problem));
    }
  };
  const take = (chosen: Written | 'mine'): void => {
    if (theirs === null) return;
    const next = chosen === 'mine' ? editor : editRule(chosen);
    draft.set({ editor: next, base: writtenOf(theirs), version: theirs.version });
    setTheirs(null);
    toast('Both versions are put together. Save the rule to keep it.');
  };
  const enable = async (enabled: boolean): Promise<void> => {
    try {
      const answer = await api.updateRule({
        project,
        rule: rule.id,
        body: { enabled },
        ifMatch: rule.version,
      });
      // The own draft began from this version, of which nothing else was changed.
      if (draft.value !== null && !isCrossed) draft.set({ ...draft.value, version: answer.version });
      resource.set(answer);
      all.reload();
      toast(enabled ? 'The rule is enabled' : 'The rule is disabled');
    } catch (problem) {
      toast(sentenceOf(problem), { tone: 'bad' });
      resource.reload();
    }
  };
  const isWriter = mayManage();
  useCommands([
    { text: 'Save the rule', group: 'Rule', run: () => void save() },
    { text: 'Delete the rule', group: 'Rule', run: () => setDeleting(true) },
  ]);
  return (
    <Page
      title={rule.name}
      back={BACK}
      heading={
        <span class="hg-row">
          {rule.name} <Badge status={statusOf(ACTIONS, rule.action.type)} />
        </span>
      }
      text={
        <>
          {counted(rule.counts.matched, 'event')} matched
          {rule.counts.last_matched_at !== null && (
            <>
              , the last <Time at={rule.counts.last_matched_at} />
            </>
          )}
        </>
      }
      actions={
        isWriter && (
          <>
            <span class="hg-row">
              <Switch
                label="The rule is enabled"
                checked={rule.enabled}
                onChange={(enabled) => void enable(enabled)}
              />
              <span class="hg-small hg-soft">{rule.enabled ? 'Enabled' : 'Disabled'}</span>
            </span>
            <Menu
              label="More"
              icon="more"
              end
              items={[
                { text: 'Events that it matched', icon: 'events', href: `/dashboard/events?rule=${rule.id}` },
                { text: 'Make a copy', icon: 'copy', href: `/dashboard/rules/new?from=${rule.id}` },
                'line',
                { text: 'Delete…', icon: 'trash', danger: true, onSelect: () => setDeleting(true) },
              ]}
            />
            <Button disabled={!isDirty} onClick={done}>
              Discard
            </Button>
            <Button kind="primary" busy={isBusy} disabled={!isDirty} onClick={() => void save()}>
              Save
            </Button>
          </>
        )
      }
    >
      {isCrossed && theirs === null && (
        <Notice
          tone="warn"
          action={
            <Button size="s" onClick={() => void showTheirs()}>
              Compare
            </Button>
          }
        >
          Somebody has saved this rule since you began to write.
        </Notice>
      )}
      {upgrade !== null && <Upgrade {...upgrade} />}
      {error !== null && <Notice tone="bad">{error}</Notice>}
      <RuleEditor
        project={project}
        editor={editor}
        onChange={change}
        checked={checked}
        facts={facts}
        isStrict={isStrict}
      />
      {theirs !== null && (
        <ConflictDialog
          base={base}
          mine={writtenIn(editor) ?? base}
          theirs={writtenOf(theirs)}
          onTake={take}
          onClose={() => setTheirs(null)}
        />
      )}
      {isDeleting && (
        <DeleteDialog
          project={project}
          rule={rule}
          onClose={() => setDeleting(false)}
          onDone={() => {
            done();
            all.reload();
            route('/dashboard/rules');
          }}
        />
      )}
    </Page>
  );
}
