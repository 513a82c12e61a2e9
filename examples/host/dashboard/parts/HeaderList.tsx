/** The headers of a request or a response, as text. */
import { visible } from '../words/visible.js';
import './HeaderList.css';

export interface HeaderListProps {
  readonly label: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

export const HeaderList = ({ label, headers }: HeaderListProps) => (
  <div role="group" aria-label={label}>
    <dl class="hg-headers hg-mono">
      {headers.map(({ name, value }, index) => (
        <div key={index}>
          <dt>
            <bdi>{visible(name)}</bdi>
          </dt>
          <dd>
            <bdi>{visible(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  </div>
);
