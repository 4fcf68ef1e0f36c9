/** Being built: see the issue of the screens. */
export const PrivacyPage = () => (
  <div className="container-page py-16">
    <h1 className="text-2xl font-semibold">This page is being built</h1>
  </div>
);
