import { uploadMessagePhoto } from '../../../../contract/message-photos.ts';
import { uploadFile } from '../../api/upload.ts';
import type { SendPhoto } from '../photos/photo-uploader.ts';

/** Uploads a photo that one message of the person may contain by its id. */
export const sendMessagePhoto: SendPhoto = async (photo, options) =>
  (await uploadFile(uploadMessagePhoto, photo, options)).id;
