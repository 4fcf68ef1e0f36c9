import { useState } from 'react';
import { toSrcset } from '../../../contract/srcset.ts';
import { cn } from '../lib/cn.ts';

export interface PictureSource {
  url: string;
  thumbUrl: string;
  width: number;
  height: number;
  color?: string | null | undefined;
}

interface PictureProps {
  image: PictureSource;
  alt: string;
  /** How wide it is shown, as in the HTML attribute; without it the thumbnail alone is offered. */
  sizes?: string;
  /** Above the fold: loaded at once. The first of them is fetched before anything else. */
  priority?: 'lazy' | 'eager' | 'high';
  className?: string;
}

/** A photo at its own size; its dominant colour holds the place until it has arrived. */
export const Photo = ({ image, alt, sizes, priority = 'lazy', className }: PictureProps) => {
  // while an upgrade is rolled out, servers of the release before have no medium picture
  const [isRefused, setRefused] = useState(false);
  return (
    <img
      data-slot="picture"
      src={sizes ? image.url : image.thumbUrl}
      srcSet={sizes && !isRefused ? toSrcset(image) : undefined}
      onError={() => setRefused(true)}
      sizes={sizes}
      alt={alt}
      width={image.width}
      height={image.height}
      loading={priority === 'lazy' ? 'lazy' : 'eager'}
      fetchPriority={priority === 'high' ? 'high' : undefined}
      decoding="async"
      style={image.color ? { backgroundColor: image.color } : undefined}
      className={cn('bg-muted', className)}
    />
  );
};
