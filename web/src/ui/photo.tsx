import { clsx as cn } from 'clsx';
import { useState } from 'react';
import { toSrcset } from '../../../contract/image-variants.ts';

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
  /** The displayed width, as in the HTML attribute. Without it, only the thumbnail loads. */
  sizes?: string;
  /** `high` is for the one photo that a page begins with. `eager` ones are beside it, and load without competing with it. */
  priority?: 'lazy' | 'eager' | 'high';
  className?: string;
}

const FETCH_PRIORITY = { lazy: undefined, eager: 'low', high: 'high' } as const;

export const Photo = ({ image, alt, sizes, priority = 'lazy', className }: PhotoProps) => {
  // During a rolling upgrade, a server of the previous release has no medium variant.
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
      fetchPriority={FETCH_PRIORITY[priority]}
      decoding="async"
      style={image.color ? { backgroundColor: image.color } : undefined}
      className={cn('photo', className)}
    />
  );
};
