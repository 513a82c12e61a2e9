/** The buttons above a rule: its switch, its menu, and those that save or discard the edit. */
import { api, sentenceOf } from '../../data/index.js';
import { Button, Menu, Switch, toast } from '../../ui/index.js';
import type { ShownRule } from './all-rules.js';

interface EnableSwitchProps {
  readonly project: string;
  readonly rule: ShownRule;
  readonly onChanged: (rule: ShownRule) => void;
  readonly onFailed: () => void;
}

function EnableSwitch({ project, rule, onChanged, onFailed }: EnableSwitchProps) {
  const enable = async (enabled: boolean): Promise<void> => {
    const body = { enabled };
    try {
      onChanged(await api.updateRule({ project, rule: rule.id, body, ifMatch: rule.version }));
      toast(enabled ? 'The rule is enabled' : 'The rule is disabled');
    } catch (problem) {
      toast(sentenceOf(problem), { tone: 'bad' });
      onFailed();
    }
  };
  return (
    <span class="hg-row">
      <Switch
        label="The rule is enabled"
        checked={rule.enabled}
        onChange={(enabled) => void enable(enabled)}
      />
      <span class="hg-small hg-soft">{rule.enabled ? 'Enabled' : 'Disabled'}</span>
    </span>
  );
}

export interface RuleActionsProps extends EnableSwitchProps {
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  readonly onDelete: () => void;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

export const RuleActions = ({ isDirty, isBusy, onDelete, onDiscard, onSave, ...props }: RuleActionsProps) => (
  <>
    <EnableSwitch {...props} />
    <Menu
      label="More"
      icon="more"
      end
      items={[
        {
          text: 'Events that it matched',
          icon: 'events',
          href: `/dashboard/events?rule=${props.rule.id}`,
        },
        { text: 'Make a copy', icon: 'copy', href: `/dashboard/rules/new?from=${props.rule.id}` },
        'line',
        { text: 'Delete…', icon: 'trash', danger: true, onSelect: onDelete },
      ]}
    />
    <Button disabled={!isDirty} onClick={onDiscard}>
      Discard
    </Button>
    <Button kind="primary" busy={isBusy} disabled={!isDirty} onClick={onSave}>
      Save
    </Button>
  </>
);
