/** How a receiver verifies what this service sends: code for one's framework, and where the secrets are. */
import { useAddress } from '../../data/index.js';
import { Code, Link, Section, Select } from '../../ui/index.js';
import { type Framework, FRAMEWORKS, SNIPPETS, type Snippet } from './verify-code.js';

const ENVIRONMENT = 'SIGNING_SECRETS=…';

export function Verify() {
  const { query, set } = useAddress();
  const chosen = FRAMEWORKS.find(({ value }) => value === query.framework)?.value ?? 'node';
  const { install, file, code }: Snippet = SNIPPETS[chosen];
  return (
    <div class="hg-endpoint hg-verify">
      <div class="hg-verify__pick">
        <Select
          label="Framework"
          value={chosen}
          options={FRAMEWORKS}
          onChange={(to: Framework) => set({ framework: to === 'node' ? '' : to }, { replace: true })}
        />
      </div>
      <Section title="1. Give your service the secrets">
        <p>
          Each channel signs with a secret of its own. Copy it from{' '}
          <Link href="/dashboard/channels">the channel</Link> whose events come here; of several channels,
          separate them by commas. Keep them out of your code.
        </p>
        <Code label="environment variable" text={ENVIRONMENT} />
      </Section>
      <Section title="2. Verify, then answer">
        {install !== null && <Code label="command" text={install} />}
        <p class="hg-soft">
          <code>{file}</code>
        </p>
        <Code label={`code of ${file}`} text={code} />
      </Section>
      <Section title="3. Try it">
        <p>
          Send a test to this endpoint: it must be answered with 204. A request that you make by hand, without
          a signature, must get 400.
        </p>
        <p class="hg-soft hg-small">
          The headers are named <code>Svc-…</code>, unless the operator of the service has given them another
          name.
        </p>
      </Section>
    </div>
  );
}
