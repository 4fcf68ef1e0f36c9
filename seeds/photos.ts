import { readFile } from 'node:fs/promises';

/** The files of seeds/photos by kind of item. Made for this project; free for any use (CC0). */
export const PHOTOS = {
  electronics: ['camera', 'laptop', 'phone', 'headphones'],
  vehicles: ['red-car', 'blue-car'],
  furniture: ['sofa', 'sofa-side', 'chair'],
  clothing: ['sweater', 'sweaters'],
  books: ['book-stack', 'book-box'],
  sports: ['basketball', 'basketballs', 'basketball-court', 'bicycle'],
  'home-garden': ['rubber-plant', 'table-lamp'],
  toys: ['teddy-bear', 'toy-blocks'],
  services: ['toolbox'],
  other: ['moving-boxes', 'guitar', 'kettle'],
} as const;

export type PhotoKind = keyof typeof PHOTOS;
export type PhotoName = (typeof PHOTOS)[PhotoKind][number];

export const readPhoto = (name: PhotoName): Promise<Buffer> => readFile(new URL(`photos/${name}.jpg`, import.meta.url));
