import { expect, test } from 'vitest';
import { CREATE_RULES } from '../../pages/create-ad.tsx';
import { EDIT_RULES } from '../../pages/edit-ad.tsx';
import { validateFiles } from './use-photos.ts';

const file = (name: string, { type = 'image/jpeg', bytes = 10 } = {}) => {
  const made = new File(['x'], name, { type });
  Object.defineProperty(made, 'size', { value: bytes });
  return made;
};
const MB = 1024 * 1024;

test('photos within the limits are accepted silently', () => {
  const files = [file('a.jpg'), file('b.png', { type: 'image/png', bytes: 5 * MB })];
  expect(validateFiles(files, 5, CREATE_RULES, 5)).toEqual({ accepted: files, messages: [], refused: [] });
});

test('a file that is no image is refused and named', () => {
  const { accepted, messages } = validateFiles(
    [file('a.pdf', { type: 'application/pdf' }), file('b.jpg')],
    5,
    CREATE_RULES,
    5,
  );
  expect(accepted.map(({ name }) => name)).toEqual(['b.jpg']);
  expect(messages[0]).toEqual({ title: 'Invalid file type', description: 'Please select only image files.' });
});

test('creating allows 5 MB a photo, editing 10 MB', () => {
  const large = [file('a.jpg', { bytes: 5 * MB + 1 })];
  expect(validateFiles(large, 5, CREATE_RULES, 5).messages[0]?.description).toBe('Images must be less than 5MB each.');
  expect(validateFiles(large, 5, EDIT_RULES, 5).accepted).toEqual(large);
  const huge = [file('a.jpg', { bytes: 10 * MB + 1 })];
  expect(validateFiles(huge, 5, EDIT_RULES, 5).messages[0]?.description).toBe(
    'Please upload images smaller than 10MB.',
  );
});

test('of too many photos the first ones fill the free places', () => {
  const { accepted, messages } = validateFiles([file('a.jpg'), file('b.jpg'), file('c.jpg')], 2, CREATE_RULES, 5);
  expect(accepted.map(({ name }) => name)).toEqual(['a.jpg', 'b.jpg']);
  expect(messages[0]).toEqual({
    title: 'Maximum images reached',
    description: 'You can only upload up to 5 images per ad.',
  });
  expect(validateFiles([file('a.jpg')], 0, EDIT_RULES, 5).messages[0]?.title).toBe('Too many images');
});

test('each refused file is named with its own reason, and each reason is said once', () => {
  const files = [
    file('a.pdf', { type: 'application/pdf' }),
    file('b.txt', { type: 'text/plain' }),
    file('c.jpg', { bytes: 5 * MB + 1 }),
    file('d.jpg'),
    file('e.jpg'),
  ];
  const { accepted, messages, refused } = validateFiles(files, 1, CREATE_RULES, 1);
  expect(accepted.map(({ name }) => name)).toEqual(['d.jpg']);
  expect(messages.map(({ title }) => title)).toEqual(['Invalid file type', 'File too large', 'Maximum images reached']);
  expect(refused).toEqual([
    'a.pdf: Please select only image files.',
    'b.txt: Please select only image files.',
    'c.jpg: Images must be less than 5MB each.',
    'e.jpg: You can only upload up to 1 image per ad.',
  ]);
});

test.each(['', 'application/octet-stream', 'image/heic'])('a file of type "%s" is judged by its content', (type) => {
  expect(validateFiles([file('IMG_1.HEIC', { type })], 5, CREATE_RULES, 5).accepted).toHaveLength(1);
});
