/** Starter rules; one opens in the editor and is not saved before one says so. */
import { api, useResource } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { Badge, Dialog, SkeletonRows } from '../../ui/index.js';
import { ACTIONS, statusOf } from '../../words/statuses.js';

export function TemplatesDialog({ onClose }: { readonly onClose: () => void }) {
  const templates = useResource('rule templates', (signal) => api.listRuleTemplates({ signal }));
  return (
    <Dialog title="Begin with a template" onClose={onClose}>
      <Loaded of={templates} skeleton={<SkeletonRows rows={4} height={68} />}>
        {({ items }) => (
          <ul class="hg-templates">
            {items.map(({ key, rule }) => (
              <li key={key}>
                <a class="hg-template" href={`/dashboard/rules/new?template=${encodeURIComponent(key)}`}>
                  <span class="hg-row">
                    <strong>{rule.name}</strong>
                    <Badge status={statusOf(ACTIONS, rule.action.type)} />
                  </span>
                  {rule.description !== undefined && <span class="hg-small hg-soft">{rule.description}</span>}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  );
}
