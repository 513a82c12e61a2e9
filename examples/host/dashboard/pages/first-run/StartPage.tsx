/** The guide: from an empty project to a delivery that arrived. */
import { useLocation } from 'preact-iso/router';
import { OVERVIEW } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { Button, Code, Page, SkeletonRows } from '../../ui/index.js';
import { ArriveStep } from './ArriveStep.js';
import { ChannelStep } from './ChannelStep.js';
import { EndpointStep } from './EndpointStep.js';
import { isArrived, type Progress, useProgress } from './progress.js';
import { SendStep } from './SendStep.js';
import './StartPage.css';
import { Step } from './Step.js';

const EVENTS = '/dashboard/events';

export default function StartPage() {
  const { route } = useLocation();
  const { resource, guide } = useProgress();
  const leave = (to: string) => (): void => {
    guide.clear();
    route(to);
  };
  return (
    <Page
      title="Start"
      heading="From nothing to a verified delivery, in two minutes"
      text="Each step completes on its own as soon as it is done. You can leave, and come back by Getting started in the menu."
      actions={
        <Button kind="quiet" onClick={leave(EVENTS)}>
          Skip this
        </Button>
      }
    >
      <Loaded of={resource} skeleton={<SkeletonRows rows={4} height={64} />}>
        {(progress) => <Steps progress={progress} reload={resource.reload} onLeave={leave(OVERVIEW)} />}
      </Loaded>
    </Page>
  );
}

/** The step at hand; one more than there are if all are done. */
function stepOf(progress: Progress): number {
  if (progress.channel === null) return 1;
  if (progress.event === null) return 2;
  if (progress.endpoint === null) return 3;
  return isArrived(progress) ? 5 : 4;
}

interface StepsProps {
  readonly progress: Progress;
  readonly reload: () => void;
  readonly onLeave: () => void;
}

function Steps({ progress, reload, onLeave }: StepsProps) {
  const { channel, event, endpoint } = progress;
  const at = stepOf(progress);
  return (
    <ol class="hg-start">
      <Step
        number={1}
        at={at}
        title="Create a channel"
        done={channel === null ? '' : `It is ${channel.name}.`}
        isKept
      >
        {channel === null ? (
          <ChannelStep onDone={reload} />
        ) : (
          channel.url !== null && <Code label="URL of the channel" text={channel.url} wrap />
        )}
      </Step>
      <Step number={2} at={at} title="Send it a sample" isKept done="">
        {channel !== null && <SendStep channel={channel} event={event} />}
      </Step>
      <Step
        number={3}
        at={at}
        title="Connect an endpoint"
        done={endpoint === null ? '' : `It is ${endpoint.name}.`}
      >
        <EndpointStep onDone={reload} />
      </Step>
      <Step number={4} at={at} title="See it arrive" isKept done="">
        {channel !== null && endpoint !== null && (
          <ArriveStep progress={{ ...progress, channel, endpoint }} onLeave={onLeave} />
        )}
      </Step>
    </ol>
  );
}
