/** An event type: its schema, its example, and whether the schema is enforced. */
import { useLocation, useRoute } from 'preact-iso/router';
import { api, currentProject, mayManage, useResource } from '../../data/index.js';
import { Card } from '../../parts/Card.js';
import { DeleteRow } from '../../parts/DeleteRow.js';
import { Loaded } from '../../parts/Loaded.js';
import { Badge, Button, Page, SkeletonRows, toast } from '../../ui/index.js';
import './event-types.css';
import { EventTypeForm } from './EventTypeForm.js';
import { statusesOf } from './status.js';

const LIST = '/dashboard/event-types';
const BACK = { href: LIST, text: 'Event types' };

export default function EventTypePage() {
  const name = decoded(useRoute().params.type ?? '');
  const project = currentProject();
  const { route } = useLocation();
  const resource = useResource(`event type ${project} ${name}`, (signal) =>
    api.getEventType({ project, type: name, signal }),
  );
  return (
    <Page
      title={name}
      heading={
        <span class="hg-event-type__head">
          <span>{name}</span>
          {resource.value !== undefined &&
            statusesOf(resource.value).map((status) => <Badge key={status.text} status={status} />)}
        </span>
      }
      back={BACK}
      actions={<Button href={`/dashboard/events?topic=${encodeURIComponent(name)}`}>Show its events</Button>}
    >
      <Loaded of={resource} skeleton={<SkeletonRows rows={8} height={56} />}>
        {(type) => (
          <div class="hg-event-type">
            <EventTypeForm key={name} type={type} onChange={resource.set} onShowTheirs={resource.reload} />
            {mayManage() && (
              <Card title="Delete">
                <DeleteRow
                  of="event type"
                  text="Its events can still be published. They are no longer checked, and the type is no longer offered."
                  textClass="hg-event-type__text"
                  onDo={async () => {
                    await api.deleteEventType({ project, type: name });
                    toast('Event type deleted');
                    route(LIST, true);
                  }}
                >
                  <p>
                    Its description, schema and example are deleted. Events, subscriptions and rules stay as
                    they are.
                  </p>
                </DeleteRow>
              </Card>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** A name has no percent sign, so a text that is decoded already stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
