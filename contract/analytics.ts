import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { IdParams, Timestamp } from './scalars.ts';

/** How many days of figures are shown, today included. */
export const PERIODS = ['30', '365'] as const;
export type Period = (typeof PERIODS)[number];

const query = z.object({ days: z.optional(z.enum(PERIODS)) });

/** What is counted each day. `revenue` is the sum of the prices of the ads marked sold. */
export const FIGURES = ['signups', 'ads', 'messages', 'visits', 'sold', 'revenue', 'reports'] as const;
export type FigureName = (typeof FIGURES)[number];

/** One day of the site's time zone, "2026-11-23", and its number. */
export const DayValue = z.object({ day: z.string(), value: z.number() });
export type DayValue = z.output<typeof DayValue>;

export const FigureSeries = z.object({
  /** Oldest first, without gaps. The last day is today. */
  days: z.array(DayValue),
  total: z.number(),
  /** The total of as many days before; null if one of them was never counted. */
  previousTotal: z.nullable(z.number()),
});
export type FigureSeries = z.output<typeof FigureSeries>;

export const Analytics = z.object({
  timeZone: z.string(),
  /** When today was counted; null before the first count. */
  countedAt: z.nullable(Timestamp),
  figures: z.record(z.enum(FIGURES), FigureSeries),
});
export type Analytics = z.output<typeof Analytics>;

/** `days`: 30 (default) or 365. */
export const getAnalytics = endpoint({
  method: 'GET',
  path: '/api/admin/analytics',
  summary: 'New people, ads, messages, visits, sales and reports of each day',
  access: 'moderator',
  scope: 'admin:read',
  query,
  reply: Analytics,
});

/** Oldest first, without gaps. Views are kept for a year. `wrote`: how many people have written about the ad. */
export const ViewsByDay = z.object({ days: z.array(DayValue), total: z.number(), wrote: z.number() });
export type ViewsByDay = z.output<typeof ViewsByDay>;

/** `days`: 30 (default) or 365. */
export const getViewsByDay = endpoint({
  method: 'GET',
  path: '/api/ads/:id/views-by-day',
  summary: 'Views of an ad on each day, for its owner and staff',
  access: 'user',
  scope: 'ads:read',
  params: IdParams,
  query,
  reply: ViewsByDay,
});
