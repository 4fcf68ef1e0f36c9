import { uploadPhoto } from '../../../../../contract/photos.ts';
import { uploadFile } from '../../../api/upload.ts';
import type { SendPhoto } from '../../photos/photo-uploader.ts';

/** Uploads a photo that one of the own ads may show by its address. */
export const sendPhoto: SendPhoto = async (photo, options) => (await uploadFile(uploadPhoto, photo, options)).url;
