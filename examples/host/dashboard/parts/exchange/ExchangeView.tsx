/** An exchange: when each step was done, the request as it was sent, and the response. All of it is shown as text. */
import type { ComponentChildren } from 'preact';
import { Button, classes, Notice, useCopy } from '../../ui/index.js';
import { visible } from '../../words/visible.js';
import { HeaderList } from '../HeaderList.js';
import { curlOf, maskedNames, type SentRequest } from './curl.js';
import { Body } from './Body.js';
import {
  type Exchange,
  isReused,
  MISSING,
  msText,
  NO_BODY,
  noResponse,
  stepsOf,
  type WholeAttempt,
} from './exchange.js';
import './ExchangeView.css';

export interface ExchangeViewProps {
  readonly attempt: WholeAttempt;
}

export function ExchangeView({ attempt }: ExchangeViewProps) {
  const { exchange, exchange_missing: missing, url } = attempt;
  if (exchange === null) return <Notice tone="quiet">{MISSING[missing ?? 'not_kept']}</Notice>;
  return (
    <div class="hg-exchange">
      <Timings exchange={exchange} />
      <div class="hg-exchange__sides">
        <RequestSide request={exchange.request} url={url} />
        <ResponseSide exchange={exchange} attempt={attempt} />
      </div>
    </div>
  );
}

const Timings = ({ exchange }: { readonly exchange: Exchange }) => (
  <div class="hg-exchange__times">
    <ol class="hg-exchange__steps" aria-label="Timings">
      {stepsOf(exchange).map(({ name, text, from, share }) => (
        <li key={name}>
          <span class="hg-soft">{name}</span>
          <span class="hg-exchange__track" aria-hidden="true">
            <span style={{ left: `${from * 100}%`, width: `${share * 100}%` }} />
          </span>
          <span class="hg-exchange__ms">{text}</span>
        </li>
      ))}
      <li class="hg-exchange__total">
        <span>Total</span>
        <span />
        <span class="hg-exchange__ms">{msText(exchange.timings.total_ms ?? 0)}</span>
      </li>
    </ol>
    {isReused(exchange) && (
      <p class="hg-soft">
        Sent over a connection that was open already, so there was no DNS, connect or TLS.
      </p>
    )}
  </div>
);

interface SideProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

const Side = ({ title, actions, children }: SideProps) => (
  <div class="hg-exchange__side" role="group" aria-label={title}>
    <div class="hg-exchange__head">
      <h3>{title}</h3>
      {actions}
    </div>
    {children}
  </div>
);

interface RequestSideProps {
  readonly request: SentRequest | null;
  readonly url: string | null;
}

function RequestSide({ request, url }: RequestSideProps) {
  if (request === null || url === null) {
    return (
      <Side title="Request">
        <p class="hg-soft">Nothing was sent: there was no connection to the receiver.</p>
      </Side>
    );
  }
  const command = curlOf(url, request);
  return (
    <Side title="Request" actions={command !== null && <CopyAsCurl command={command} />}>
      <p class="hg-exchange__line hg-mono">
        <strong>POST</strong> <bdi>{visible(new URL(url).origin + request.target)}</bdi>
      </p>
      {command !== null && <CurlHint masked={maskedNames(request)} />}
      <HeaderList label="Request headers" headers={request.headers} />
      {request.body === null ? (
        <p class="hg-soft">{NO_BODY}</p>
      ) : (
        <Body label="request body" body={request.body} headers={request.headers} />
      )}
    </Side>
  );
}

function CopyAsCurl({ command }: { readonly command: string }) {
  const { isCopied, copy } = useCopy(command);
  return (
    <Button size="s" icon={isCopied ? 'check' : 'copy'} onClick={copy}>
      {isCopied ? 'Copied' : 'Copy as curl'}
    </Button>
  );
}

const CurlHint = ({ masked }: { readonly masked: readonly string[] }) => (
  <p class="hg-exchange__hint hg-soft">
    The curl command has this signature, which receivers refuse once it is too old.
    {masked.length > 0 && ` Fill in the hidden value of ${masked.join(', ')} before you run it.`}
  </p>
);

interface ResponseSideProps {
  readonly exchange: Exchange;
  readonly attempt: WholeAttempt;
}

const ResponseSide = ({ exchange: { request, response }, attempt }: ResponseSideProps) => (
  <Side title="Response">
    {response === null ? (
      <p class="hg-soft">{request === null ? 'There is no response.' : noResponse(attempt)}</p>
    ) : (
      <>
        <p class="hg-exchange__line hg-mono">
          <strong class={classes('hg-exchange__status', `hg-tone-${attempt.ok ? 'good' : 'bad'}`)}>
            HTTP {response.status}
          </strong>
        </p>
        <HeaderList label="Response headers" headers={response.headers} />
        <Body
          label="response body"
          body={response.body}
          headers={response.headers}
          isComplete={response.is_complete}
        />
      </>
    )}
  </Side>
);
