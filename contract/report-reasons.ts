import { labels } from './i18n.ts';
import type { ReportReason } from './reports.ts';

/** The words of the reasons to report, in a module of its own: pages that name no reason need no catalog for them. */
export const REPORT_REASONS = labels<ReportReason>({
  scam: 'reasons.scam',
  prohibited: 'reasons.prohibited',
  counterfeit: 'reasons.counterfeit',
  duplicate: 'reasons.duplicate',
  wrong_category: 'reasons.wrongCategory',
  offensive: 'reasons.offensive',
  harassment: 'reasons.harassment',
  other: 'reasons.other',
});
