import * as api from '../../../contract/photos.ts';
import { route } from '../../endpoints/define.ts';
import { uploadPhoto } from './photos.ts';

export const photoRoutes = [route(api.uploadPhoto, ({ ctx, actor, readFile }) => uploadPhoto(ctx, actor, readFile))];
