/** The guide: from an empty project to a rule that was applied. */
import { useLocation } from 'preact-iso/router';
import { Loaded } from '../../parts/Loaded.js';
import { Button, Page, SkeletonRows } from '../../ui/index.js';
import { AppliedStep } from './AppliedStep.js';
import { ChannelStep } from './ChannelStep.js';
import { type Progress, useProgress } from './progress.js';
import { RuleStep } from './RuleStep.js';
import { ArriveStep, SendStep } from './SendStep.js';
import './StartPage.css';
import { Step } from './Step.js';

const EVENTS = '/dashboard/events';

export default function StartPage() {
  const { route } = useLocation();
  const { resource, guide } = useProgress();
  const leave = (): void => {
    guide.clear();
    route(EVENTS);
  };
  return (
    <Page
      title="Start"
      heading="From nothing to a rule that works, in two minutes"
      text="Each step completes on its own as soon as it is done."
      actions={
        <Button kind="quiet" onClick={leave}>
          Skip this
        </Button>
      }
    >
      <Loaded of={resource} skeleton={<SkeletonRows rows={5} height={64} />}>
        {(progress) => <Steps progress={progress} reload={resource.reload} guide={guide} onLeave={leave} />}
      </Loaded>
    </Page>
  );
}

interface StepsProps {
  readonly progress: Progress;
  readonly reload: () => void;
  readonly guide: ReturnType<typeof useProgress>['guide'];
  readonly onLeave: () => void;
}

function Steps({ progress, reload, guide, onLeave }: StepsProps) {
  const { channel, first, rule, applied } = progress;
  const at = channel === null ? 1 : first === null ? 2 : rule === null ? 4 : applied === null ? 5 : 6;
  return (
    <ol class="hg-start">
      <Step number={1} at={at} title="Make a channel" done={channel === null ? '' : `It is ${channel.name}.`}>
        <ChannelStep onDone={reload} />
      </Step>
      <Step number={2} at={at} title="Send it an event" isKept done="">
        {channel !== null && <SendStep channel={channel} isWaiting={at === 2} />}
      </Step>
      <Step number={3} at={at} title="See it arrive" isKept done="">
        {first !== null && <ArriveStep event={first} />}
      </Step>
      <Step
        number={4}
        at={at}
        title="Create a rule from it"
        done={rule === null ? '' : `It is ${rule.name}.`}
      >
        {first !== null && (
          <RuleStep
            event={first.id}
            onDone={(made) => {
              guide.set({ ...guide.value, rule: made });
              reload();
            }}
          />
        )}
      </Step>
      <Step number={5} at={at} title="See it applied" isKept done="">
        {channel !== null && rule !== null && (
          <AppliedStep channel={channel} rule={rule} applied={applied} onLeave={onLeave} />
        )}
      </Step>
    </ol>
  );
}
