import { useState } from 'react';
import { toSrcset } from '../../../contract/image-variants.ts';
import { cn } from '../lib/cn.ts';

export interface PhotoSource {
  url: string;
  thumbUrl: string;
  width: number;
  height: number;
  color?: string | null | undefined;
}

interface PhotoProps {
  image: PhotoSource;
  alt: string;
  /** The displayed width, as in the HTML attribute; without it the photo loads its thumbnail only. */
  sizes?: string;
  /** `eager` and `high`: above the fold, loaded immediately; `high` before everything else. */
  priority?: 'lazy' | 'eager' | 'high';
  className?: string;
}

/** A photo; its dominant colour fills its place until it has loaded. */
export const Photo = ({ image, alt, sizes, priority = 'lazy', className }: PhotoProps) => {
  // During a rolling upgrade a server of the previous release has no medium variant.
  const [isSrcsetBroken, setSrcsetBroken] = useState(false);
  return (
    <img
      data-slot="picture"
      src={sizes ? image.url : image.thumbUrl}
      srcSet={sizes && !isSrcsetBroken ? toSrcset(image) : undefined}
      onError={() => setSrcsetBroken(true)}
      sizes={sizes}
      alt={alt}
      width={image.width}
      height={image.height}
      loading={priority === 'lazy' ? 'lazy' : 'eager'}
      fetchPriority={priority === 'high' ? 'high' : undefined}
      decoding="async"
      style={image.color ? { backgroundColor: image.color } : undefined}
      className={cn('photo', className)}
    />
  );
};
