import type { Ad } from '../../../../contract/ads.ts';
import { REPORT_REASONS } from '../../../../contract/report-reasons.ts';
import type { ReportReason } from '../../../../contract/reports.ts';

/** Why staff took the ad down: in their words, or else in those of the reason, in the language of the page. */
export const sayStateReason = ({ stateReason, stateReasonCode }: Ad): string | null | undefined =>
  (stateReasonCode && REPORT_REASONS[stateReasonCode as ReportReason]) || stateReason;
