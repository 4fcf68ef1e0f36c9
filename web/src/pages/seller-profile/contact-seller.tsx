import { MessageCircle } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import type { Profile } from '../../../../contract/users.ts';
import { useSession } from '../../api/session.ts';
import { useOpenSignIn } from '../../features/session/sign-in-context.tsx';
import { Button } from '../../ui/button.tsx';

/** Writes to the seller about their newest ad that takes messages. */
export const ContactSeller = ({ profile }: { profile: Profile }) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const navigate = useNavigate();
  const ad = profile.ads.find((candidate) => candidate.isActive && candidate.allowMessages);
  if (!ad) return <p className="text-sm text-muted-foreground">Contact information not available</p>;
  const conversation = `/messages/${ad.id}/${ad.userId}`;
  return (
    <Button onClick={() => (user ? void navigate(conversation) : openSignIn(conversation))}>
      <MessageCircle aria-hidden="true" /> Contact Seller
    </Button>
  );
};
