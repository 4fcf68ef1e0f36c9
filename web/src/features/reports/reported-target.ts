import type { ReportTarget } from '../../../../contract/reports.ts';

export interface ReportedTarget {
  type: ReportTarget;
  id: string;
  /** Title of the ad, or name of the person (for a message, of its sender; for a rating, of its writer). */
  name: string;
}
