import { expect, test } from 'vitest';
import { CREATE_RULES, EDIT_RULES } from '../ads/form/photo-rules.ts';
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

test('a photo of up to 50 MB is tried, because it is shrunk before it is sent', () => {
  const large = [file('a.jpg', { bytes: 50 * MB })];
  for (const rules of [CREATE_RULES, EDIT_RULES]) {
    expect(validateFiles(large, 5, rules, 5).accepted).toEqual(large);
    const huge = validateFiles([file('a.jpg', { bytes: 50 * MB + 1 })], 5, rules, 5);
    expect(huge.messages).toEqual([{ title: 'File too large', description: 'Photos must be at most 50 MB each.' }]);
  }
});

test('what is left to send is at most 5 MB in a new ad, and 10 MB in an edit', () => {
  expect([CREATE_RULES.maxBytes, CREATE_RULES.tooLarge().description]).toEqual([
    5 * MB,
    'Images must be less than 5MB each.',
  ]);
  expect([EDIT_RULES.maxBytes, EDIT_RULES.tooLarge().description]).toEqual([
    10 * MB,
    'Please upload images smaller than 10MB.',
  ]);
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
    file('c.jpg', { bytes: 51 * MB }),
    file('d.jpg'),
    file('e.jpg'),
  ];
  const { accepted, messages, refused } = validateFiles(files, 1, CREATE_RULES, 1);
  expect(accepted.map(({ name }) => name)).toEqual(['d.jpg']);
  expect(messages.map(({ title }) => title)).toEqual(['Invalid file type', 'File too large', 'Maximum images reached']);
  expect(refused).toEqual([
    'a.pdf: Please select only image files.',
    'b.txt: Please select only image files.',
    'c.jpg: Photos must be at most 50 MB each.',
    'e.jpg: You can only upload up to 1 image per ad.',
  ]);
});

test.each(['', 'application/octet-stream', 'image/heic'])('a file of type "%s" is judged by its content', (type) => {
  expect(validateFiles([file('IMG_1.HEIC', { type })], 5, CREATE_RULES, 5).accepted).toHaveLength(1);
});
