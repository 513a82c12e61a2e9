/** The address of the guide, which shows it in every project: the start page alone shows it only to an empty one. */
export const GUIDE = '/dashboard/start';
/** The first page of a project that has events. */
export const OVERVIEW = '/dashboard/overview';
