/** How the portal looks: the name, the logo and the accent of the project, which its operator has chosen. */
import { useEffect } from 'preact/hooks';
import { api, currentProject, type Output, useResource } from '../data/index.js';
import { siteName } from '../ui/index.js';
import { accentsOf } from '../words/colours.js';

export type Look = Output<'getPortal'>;

/** Undefined until it is read. */
export function useLook(): Look | undefined {
  const project = currentProject();
  const look = useResource(`look of ${project}`, (signal) => api.getPortal({ project, signal })).value;
  useEffect(() => {
    if (look === undefined) return;
    siteName.value = look.name;
    const { style } = document.documentElement;
    for (const [token, value] of Object.entries(look.accent === null ? {} : accentsOf(look.accent))) {
      style.setProperty(token, value);
    }
  }, [look]);
  return look;
}
