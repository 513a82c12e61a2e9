/** How a receiver verifies what this service sends: code for one's framework, and where the secrets are. */
import { useAddress, ROOT, isPortal } from '../../data/index.js';
import { Code, Link, Section, Select } from '../../ui/index.js';
import type { Endpoint } from './endpoint-list.js';
import { type Framework, FRAMEWORKS, snippetsFor } from './verify-code.js';

const ENVIRONMENT = 'SIGNING_SECRETS=…';

/** A sentence for each signature. */
const ABOUT = {
  svc: (
    <>
      Deliveries to this endpoint are signed in the header <code>Svc-Signature</code>. The operator of the
      service may have given the headers another name than <code>Svc-…</code>.
    </>
  ),
  standard_webhooks: (
    <>
      Deliveries to this endpoint are signed as Standard Webhooks 1.0 says, in the headers{' '}
      <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>. Its
      libraries verify them too, with the same secret.
    </>
  ),
  both: (
    <>
      Deliveries to this endpoint have two signatures: <code>Svc-Signature</code>, and that of Standard
      Webhooks in <code>webhook-signature</code>. Verify either of them.
    </>
  ),
} satisfies Record<Endpoint['signature'], unknown>;

export function Verify({ endpoint: { id, signature, secret } }: { readonly endpoint: Endpoint }) {
  const { query, set } = useAddress();
  const chosen = FRAMEWORKS.find(({ value }) => value === query.framework)?.value ?? 'node';
  const { install, file, code } = snippetsFor(signature)[chosen];
  return (
    <div class="hg-endpoint hg-verify">
      <p>{ABOUT[signature]}</p>
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
          {secret === 'endpoint' ? (
            <>
              This endpoint has secrets of its own. Copy them from its{' '}
              <Link href={`${ROOT}/endpoints/${id}?tab=settings`}>settings</Link>; if there are several,
              separate them by commas. Keep them out of your code.
            </>
          ) : isPortal ? (
            <>
              The events that come here are signed with secrets that you do not see. Choose secrets of this
              endpoint in its <Link href={`${ROOT}/endpoints/${id}?tab=settings`}>settings</Link>, and copy
              them from there. Keep them out of your code.
            </>
          ) : (
            <>
              Each channel signs with a secret of its own. Copy it from{' '}
              <Link href="/dashboard/channels">the channel</Link> whose events come here; of several channels,
              separate them by commas. Keep them out of your code.
            </>
          )}
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
      </Section>
    </div>
  );
}
