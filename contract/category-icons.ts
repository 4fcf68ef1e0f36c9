/**
 * The drawn icons among which operators choose, with the emoji that the table and older clients have for each. The drawings
 * are in web/src/features/ads/category-icons.svg.
 */
const EMOJI_BY_ICON = {
  amphora: '🏺',
  apple: '🍎',
  baby: '🍼',
  backpack: '🎒',
  bed: '🛏️',
  bike: '🚲',
  blocks: '🧸',
  briefcase: '💼',
  camera: '📷',
  car: '🚗',
  cat: '🐱',
  clapperboard: '🎬',
  coffee: '☕',
  coins: '🪙',
  cpu: '🖥️',
  dices: '🎲',
  dog: '🐶',
  dumbbell: '🏋️',
  factory: '🏭',
  fish: '🐟',
  'flower-2': '🌸',
  'gamepad-2': '🎮',
  gem: '💍',
  gift: '🎁',
  'graduation-cap': '🎓',
  guitar: '🎸',
  hammer: '🛠️',
  handshake: '🤝',
  headphones: '🎧',
  house: '🏠',
  'key-round': '🔑',
  lamp: '💡',
  laptop: '💻',
  library: '📚',
  motorbike: '🏍️',
  music: '🎵',
  package: '📦',
  palette: '🎨',
  paperclip: '🖇️',
  'paw-print': '🐾',
  plane: '✈️',
  puzzle: '🧩',
  sailboat: '⛵',
  scissors: '✂️',
  shirt: '👕',
  'shopping-bag': '🛍️',
  smartphone: '📱',
  snowflake: '❄️',
  sofa: '🛋️',
  sparkles: '💄',
  sprout: '🪴',
  stethoscope: '🩺',
  tag: '🏷️',
  tent: '⛺',
  ticket: '🎟️',
  tractor: '🚜',
  'tree-deciduous': '🌳',
  truck: '🚚',
  tv: '📺',
  umbrella: '☂️',
  utensils: '🍴',
  volleyball: '⚽',
  'washing-machine': '🧺',
  watch: '⌚',
  wine: '🍷',
  wrench: '🔧',
} as const;
export type CategoryIcon = keyof typeof EMOJI_BY_ICON;
export const CATEGORY_ICONS = Object.keys(EMOJI_BY_ICON) as CategoryIcon[];

export const toEmoji = (icon: CategoryIcon): string => EMOJI_BY_ICON[icon];

// An emoji may be written with or without the mark that asks for its colored form.
const toKey = (emoji: string): string => emoji.replaceAll('\uFE0F', '');

const ICONS = new Map(CATEGORY_ICONS.map((icon) => [toKey(EMOJI_BY_ICON[icon]), icon]));

/** Null for an emoji without an icon, which is then shown itself. */
export const toIcon = (emoji: string): CategoryIcon | null => ICONS.get(toKey(emoji)) ?? null;
