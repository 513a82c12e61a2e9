/** The state of the guide, kept as long as the tab is open. */
export interface Guide {
  /** It began in an empty project, so it goes on though there are events now. */
  readonly isUnderWay: boolean;
}

export const NO_GUIDE: Guide = { isUnderWay: false };

/** The name of the draft that has it. */
export const guideOf = (project: string): string => `guide ${project}`;
