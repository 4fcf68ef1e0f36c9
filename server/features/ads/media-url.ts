/** Address of a picture: named after its content, so that what lies there never changes. */
export const mediaUrl = (sha256: string, variant: 'full' | 'thumb' | 'card'): string =>
  `/media/${sha256}/${variant}.jpg`;

/** The picture that a full-size address names; undefined for anything else. */
export const parseMediaUrl = (url: string): string | undefined => /^\/media\/([0-9a-f]{64})\/full\.jpg$/.exec(url)?.[1];
