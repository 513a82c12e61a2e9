/** A new rule: empty, from a template, from another rule, or from an event. */
import type { RuleDocument } from 'headgate/slim';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, currentProject, useAddress, useCommands, useDraft, useResource } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import {
  changeRule,
  type Editor,
  editForm,
  editRule,
  NEW_RULE,
  readJson,
  RuleEditor,
  sectionOfMatch,
  useChecked,
  useProjectFacts,
} from '../../parts/rule-editor/index.js';
import { Button, Checkbox, Page, toast } from '../../ui/index.js';
import { type AllRules, nextPriority, useAllRules, useDrops } from './all-rules.js';
import { SaveProblem, useSave } from './use-save.js';

const BACK = { href: '/dashboard/rules', text: 'Rules' };

/** Waits for what the rule begins from, so that nothing is written over it. */
const NewRulePage = () => {
  const project = currentProject();
  const { query, search } = useAddress();
  const all = useAllRules(project);
  const beginning = useResource(`beginning of a rule ${project} ${search}`, (signal) =>
    beginningOf(project, query, signal),
  );
  if (beginning.value === undefined || (all.value === undefined && all.state.status === 'loading')) {
    return (
      <Page title="New rule" back={BACK}>
        <Loaded of={beginning}>{() => <Loaded of={all}>{() => null}</Loaded>}</Loaded>
      </Page>
    );
  }
  return (
    <Opened
      key={search}
      project={project}
      search={search}
      beginning={beginning.value}
      all={all.value}
      eventId={query.event}
    />
  );
};
export default NewRulePage;

/** The members that a new rule begins with. */
type Beginning = { readonly [Key in keyof RuleDocument]?: RuleDocument[Key] | undefined } & {
  /** JSON of a match whose numbers keep their digits. */
  readonly matchText?: string;
};

/** The address names a template, another rule, one that was deleted, or a match as JSON. */
async function beginningOf(
  project: string,
  { template, from, deleted, match, name }: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Beginning> {
  if (template !== undefined) {
    const { items } = await api.listRuleTemplates({ signal });
    return items.find(({ key }) => key === template)?.rule ?? {};
  }
  if (from !== undefined) {
    const rule = await api.getRule({ project, rule: from, signal });
    return { ...rule, name: `${rule.name} (copy)` };
  }
  if (deleted !== undefined) {
    const { items } = await api.listRuleVersions({ project, rule: deleted, query: { limit: 1 }, signal });
    return items[0]?.rule ?? {};
  }
  const named = name === undefined ? {} : { name };
  return match === undefined || 'faults' in readJson(match) ? named : { ...named, matchText: match };
}

/** The editor of a beginning: it comes after all other rules. */
function editorOf(
  { name = '', description, match, matchText, action }: Beginning,
  all: AllRules | undefined,
): Editor {
  const priority = nextPriority(all);
  if (match === undefined && action === undefined) {
    const matching = matchText === undefined ? {} : { match: sectionOfMatch(matchText) };
    return editForm(changeRule(NEW_RULE, { name, priority: String(priority), ...matching }));
  }
  const rule = {
    name,
    description,
    stage: 'deliver',
    match,
    action: action ?? { type: 'tag', tags: [] },
    priority,
  };
  return editRule(rule);
}

interface OpenedProps {
  readonly project: string;
  readonly search: string;
  readonly beginning: Beginning;
  readonly all: AllRules | undefined;
  readonly eventId: string | undefined;
}

/** The draft: the rule, and whether it is to be enabled. */
interface Unsaved {
  readonly editor: Editor;
  readonly enabled: boolean;
}

function Opened({ project, search, beginning, all, eventId }: OpenedProps) {
  const { route } = useLocation();
  const facts = useProjectFacts(project);
  const [first] = useState(() => editorOf(beginning, all));
  const draft = useDraft<Unsaved>(`edit of a new rule ${project} ${search}`, {
    editor: first,
    enabled: true,
  });
  const { editor, enabled } = draft.value;
  const checked = useChecked(editor, useDrops(all, null));
  const list = useAllRules(project);
  const { isStrict, isBusy, problem, save } = useSave(
    checked,
    async (rule) => {
      const saved = await api.createRule({ project, body: { ...rule, enabled } });
      draft.clear();
      list.reload();
      toast(
        enabled
          ? `${saved.name} is saved, and holds from the next event on`
          : `${saved.name} is saved, and disabled`,
      );
      route(`/dashboard/rules/${saved.id}`, true);
    },
    true,
  );
  useCommands([{ text: 'Save the rule', group: 'Rule', run: () => void save() }]);
  return (
    <Page
      title="New rule"
      back={BACK}
      actions={
        <>
          <Checkbox
            label="Enable it at once"
            checked={enabled}
            onChange={(is) => draft.set({ editor, enabled: is })}
          />
          {draft.isDirty && <Button onClick={draft.clear}>Discard</Button>}
          <Button kind="primary" busy={isBusy} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <SaveProblem problem={problem} />
      <RuleEditor
        {...{ project, editor, checked, facts, isStrict }}
        onChange={(next) => draft.set({ editor: next, enabled })}
        eventIds={eventId === undefined ? undefined : [eventId]}
      />
    </Page>
  );
}
