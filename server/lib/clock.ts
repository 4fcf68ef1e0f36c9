/** Time as the ctx sees it; tests bring their own. Rows take theirs from the database. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
