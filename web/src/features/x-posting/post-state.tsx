import type { XPost } from '../../../../contract/x-posting.ts';
import { Badge } from '../../ui/badge.tsx';

const STATES = {
  pending: ['Waiting', 'neutral'],
  sending: ['Sending', 'neutral'],
  posted: ['Posted', 'success'],
  failed: ['Not posted', 'destructive'],
  skipped: ['Not sent', 'neutral'],
  unknown: ['Unknown', 'warning'],
} as const;

export const PostState = ({ status }: Pick<XPost, 'status'>) => {
  const [label, variant] = STATES[status];
  return <Badge variant={variant}>{label}</Badge>;
};
