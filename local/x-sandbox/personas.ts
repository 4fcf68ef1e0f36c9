export interface Persona {
  id: string;
  name: string;
  username: string;
  bio: string;
  createdAt: string;
  verified: boolean;
  verifiedType: 'blue' | 'business' | 'government' | 'none';
  subscription: 'None' | 'Basic' | 'Premium' | 'PremiumPlus';
  status: 'active' | 'suspended' | 'locked' | 'deleted';
  protected: boolean;
  email: string | null;
  /** Scopes this person never grants, whatever is asked. */
  withholds: string[];
}

const persona = (id: string, name: string, username: string, bio: string, more: Partial<Persona> = {}): Persona => ({
  id,
  name,
  username,
  bio,
  createdAt: '2016-05-17T09:12:41.000Z',
  verified: false,
  verifiedType: 'none',
  subscription: 'None',
  status: 'active',
  protected: false,
  email: null,
  withholds: [],
  ...more,
});

const blue = { verified: true, verifiedType: 'blue', subscription: 'Premium' } as const;

/** Every kind of account the app must cope with, as people one could meet. */
export const PERSONAS: readonly Persona[] = [
  persona('2244994945', 'Maya Lindqvist', 'mayalindqvist', 'Vintage synths, too many cables. Malmö.', {
    ...blue,
    createdAt: '2013-12-14T04:35:55.000Z',
    email: 'maya@mail.example',
  }),
  persona('1488016301', 'Tom Okafor', 'tomokafor', 'Bikes, coffee, repairs on Sundays.'),
  persona('907341182', 'Priya Raman', 'priya_raman', 'Photographer. Selling what I no longer carry.', {
    subscription: 'Basic',
    createdAt: '2012-10-27T18:20:05.000Z',
  }),
  persona('301776540', 'Harbour & Pine Furniture', 'harbourandpine', 'Solid wood, made to last.', {
    verified: true,
    verifiedType: 'business',
    subscription: 'PremiumPlus',
    createdAt: '2011-05-20T01:02:03.000Z',
    email: 'hello@harbourandpine.example',
  }),
  persona('775120094', 'Oldhaven City Council', 'OldhavenCouncil', 'News and surplus sales of the city.', {
    verified: true,
    verifiedType: 'government',
  }),
  persona('560281937', 'Jonas Feld', 'jonasfeld', 'Checked before there were colours.', { verified: true }),
  persona('1610233847', '🌻 Lena 🛹✨', 'lena_rolls', 'skate • plants • 🧿', { createdAt: '2021-03-02T22:10:00.000Z' }),
  persona('884102735', 'ليلى حداد', 'layla_haddad', 'كتب قديمة وقهوة جديدة', blue),
  persona('1102938475', 'Bartholomew Quiggleton-Smythe', 'quiggletonsmyth', 'A handle of exactly fifteen characters.'),
  persona('12117', 'Ed Marsh', 'ed', 'Here since 2007.', { createdAt: '2007-01-12T16:44:02.000Z' }),
  persona('1990000000000000321', 'new here', 'newhere84213', '', { createdAt: '2026-11-01T07:00:00.000Z' }),
  persona('650019283', 'Deal Blaster', 'dealblaster', 'BEST DEALS BEST DEALS', { status: 'suspended' }),
  persona('711203948', 'Nora Vance', 'noravance', 'Keeps the marketplace tidy.', {
    ...blue,
    email: 'nora@mail.example',
  }),
];
