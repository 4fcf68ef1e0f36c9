/** The 25 seeded categories: slug, display name, emoji. Once seeded, the table `categories` is authoritative. */
export const CATEGORIES = [
  { slug: 'electronics', name: 'Electronics', emoji: '📱' },
  { slug: 'vehicles', name: 'Vehicles', emoji: '🚗' },
  { slug: 'real-estate', name: 'Real Estate', emoji: '🏠' },
  { slug: 'furniture', name: 'Furniture', emoji: '🛋️' },
  { slug: 'clothing', name: 'Clothing & Fashion', emoji: '👕' },
  { slug: 'books', name: 'Books & Media', emoji: '📚' },
  { slug: 'sports', name: 'Sports & Recreation', emoji: '⚽' },
  { slug: 'home-garden', name: 'Home & Garden', emoji: '🪴' },
  { slug: 'toys', name: 'Toys & Games', emoji: '🧸' },
  { slug: 'health-beauty', name: 'Health & Beauty', emoji: '💄' },
  { slug: 'computers', name: 'Computers & Tech', emoji: '💻' },
  { slug: 'musical-instruments', name: 'Musical Instruments', emoji: '🎸' },
  { slug: 'tools', name: 'Tools & Hardware', emoji: '🛠️' },
  { slug: 'photography', name: 'Photography', emoji: '📷' },
  { slug: 'jewelry', name: 'Jewelry & Accessories', emoji: '💍' },
  { slug: 'collectibles', name: 'Collectibles & Antiques', emoji: '🏺' },
  { slug: 'art', name: 'Art & Crafts', emoji: '🎨' },
  { slug: 'baby-kids', name: 'Baby & Kids', emoji: '🍼' },
  { slug: 'pets', name: 'Pet Supplies', emoji: '🐾' },
  { slug: 'appliances', name: 'Appliances', emoji: '🧺' },
  { slug: 'office', name: 'Office Supplies', emoji: '🖇️' },
  { slug: 'industrial', name: 'Industrial & Commercial', emoji: '🏭' },
  { slug: 'services', name: 'Services', emoji: '🤝' },
  { slug: 'tickets', name: 'Tickets & Events', emoji: '🎟️' },
  { slug: 'other', name: 'Other', emoji: '📦' },
] as const;

/** The emoji of a category, by slug; a box for an unknown one. */
export const getCategoryEmoji = (slug: string): string => CATEGORIES.find((c) => c.slug === slug)?.emoji ?? '📦';
