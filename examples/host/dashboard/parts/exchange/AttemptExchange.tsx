/** The exchange of an attempt that was opened. Its view is loaded with it, so that no page carries it before. */
import { api, currentProject, useResource } from '../../data/index.js';
import { SkeletonRows } from '../../ui/index.js';
import { Loaded } from '../Loaded.js';

export interface AttemptExchangeProps {
  /** Its id. */
  readonly delivery: string;
  /** Its number. */
  readonly attempt: number;
}

export function AttemptExchange({ delivery, attempt }: AttemptExchangeProps) {
  const project = currentProject();
  const one = useResource(`attempt ${project} ${delivery} ${attempt}`, async (signal) => {
    const [{ ExchangeView }, value] = await Promise.all([
      import('./ExchangeView.js'),
      api.getAttempt({ project, delivery, attempt: `${attempt}`, signal }),
    ]);
    return { ExchangeView, value };
  });
  return (
    <Loaded of={one} skeleton={<SkeletonRows rows={5} height={28} />}>
      {({ ExchangeView, value }) => <ExchangeView attempt={value} />}
    </Loaded>
  );
}
