import type { AppContext } from '../../server/app-context.ts';
import { storeImages } from '../../server/features/images/service.ts';
import { toPng } from '../scenes/png.ts';
import { paintScene, SCENE_KINDS, type SceneKind } from '../scenes/scenes.ts';

/** Paints and stores the pictures that all invented ads share. Returns their names by kind. */
export async function paintPictures(ctx: AppContext, perKind: number): Promise<Record<SceneKind, string[]>> {
  const painted = {} as Record<SceneKind, string[]>;
  for (const kind of SCENE_KINDS) {
    const seeds = Array.from({ length: perKind }, (_, i) => i + 10);
    const images = await Promise.all(seeds.map((seed) => ctx.images.process(toPng(paintScene(kind, seed, 600, 450)))));
    await storeImages(ctx, images);
    painted[kind] = images.map(({ sha256 }) => sha256);
  }
  return painted;
}
