/** All components in all their states, to look at and to test. */
import { Page, Section } from '../../ui/index.js';
import { ButtonSamples, ColourSamples, FieldSamples, StateSamples } from './basics.js';
import './ComponentsPage.css';
import { DataSamples, ListSamples, OpeningSamples, PlotSamples } from './composites.js';

const ComponentsPage = () => (
  <Page
    title="Components"
    text="Everything that the pages are made of, in each state."
    back={{ href: '/dashboard/project', text: 'Project' }}
  >
    <Section title="Colours">
      <ColourSamples />
    </Section>
    <Section title="Buttons and links">
      <ButtonSamples />
    </Section>
    <Section title="Fields">
      <FieldSamples />
    </Section>
    <Section title="What opens">
      <OpeningSamples />
    </Section>
    <Section title="States">
      <StateSamples />
    </Section>
    <Section title="Lists">
      <ListSamples />
    </Section>
    <Section title="Data">
      <DataSamples />
    </Section>
    <Section title="Plots">
      <PlotSamples />
    </Section>
  </Page>
);
export default ComponentsPage;
