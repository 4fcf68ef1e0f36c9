import { expect, test } from 'vitest';
import { CREATE_RULES, EDIT_RULES, validateFiles } from './use-images.ts';

const file = (name: string, { type = 'image/jpeg', bytes = 10 } = {}) => {
  const made = new File(['x'], name, { type });
  Object.defineProperty(made, 'size', { value: bytes });
  return made;
};
const MB = 1024 * 1024;

test('photos within the limits are accepted silently', () => {
  const files = [file('a.jpg'), file('b.png', { type: 'image/png', bytes: 5 * MB })];
  expect(validateFiles(files, 5, CREATE_RULES)).toEqual({ accepted: files, message: undefined });
});

test('a file that is no image is refused and named', () => {
  const { accepted, message } = validateFiles(
    [file('a.pdf', { type: 'application/pdf' }), file('b.jpg')],
    5,
    CREATE_RULES,
  );
  expect(accepted.map(({ name }) => name)).toEqual(['b.jpg']);
  expect(message).toEqual({ title: 'Invalid file type', description: 'Please select only image files.' });
});

test('creating allows 5 MB a photo, editing 10 MB', () => {
  const large = [file('a.jpg', { bytes: 5 * MB + 1 })];
  expect(validateFiles(large, 5, CREATE_RULES).message?.description).toBe('Images must be less than 5MB each.');
  expect(validateFiles(large, 5, EDIT_RULES).accepted).toEqual(large);
  const huge = [file('a.jpg', { bytes: 10 * MB + 1 })];
  expect(validateFiles(huge, 5, EDIT_RULES).message?.description).toBe('Please upload images smaller than 10MB.');
});

test('of too many photos the first ones fill the free places', () => {
  const { accepted, message } = validateFiles([file('a.jpg'), file('b.jpg'), file('c.jpg')], 2, CREATE_RULES);
  expect(accepted.map(({ name }) => name)).toEqual(['a.jpg', 'b.jpg']);
  expect(message).toEqual({
    title: 'Maximum images reached',
    description: 'You can only upload up to 5 images per ad.',
  });
  expect(validateFiles([file('a.jpg')], 0, EDIT_RULES).message?.title).toBe('Too many images');
});
