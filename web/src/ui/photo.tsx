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
  /** Where two pages show the same photo under one name, it moves from one place to the other (styles/motion.css). */
  name?: string | undefined;
  /** Shows the thumbnail, which the page before has loaded, until the photo is there. */
  beginsAsThumb?: boolean;
}

/** The name of an ad's first photo. */
export const toPhotoName = ({ id }: { id: string }): string => `photo-${id}`;

const FETCH_PRIORITY = { lazy: undefined, eager: 'low', high: 'high' } as const;

export const Photo = ({ image, alt, sizes, priority = 'lazy', className, name, beginsAsThumb = false }: PhotoProps) => {
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
      style={{
        backgroundColor: image.color ?? undefined,
        backgroundImage: beginsAsThumb ? `url(${image.thumbUrl})` : undefined,
        viewTransitionName: name,
      }}
      className={cn('photo', className)}
    />
  );
};
