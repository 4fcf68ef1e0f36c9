import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { AdminLoginDialog } from './admin-login-dialog.tsx';

/** What anybody but an administrator sees. */
export const AdminGate = () => {
  const [isLoginOpen, setLoginOpen] = useState(false);
  return (
    <>
      <Empty
        icon={ShieldAlert}
        heading="h1"
        title="Admin Access Required"
        text="This area is restricted to administrators only."
      >
        <Button onClick={() => setLoginOpen(true)}>Admin Login</Button>
        <Button asChild variant="outline">
          <Link to="/">Return to Homepage</Link>
        </Button>
      </Empty>
      <AdminLoginDialog open={isLoginOpen} onOpenChange={setLoginOpen} />
    </>
  );
};
