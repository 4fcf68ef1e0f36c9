import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../settings/repository.ts';
import { findBannedWord, judgeAd } from './moderation.ts';

describe('banned words', () => {
  test.each([
    ['A SCAM!', ['scam'], 'scam'],
    ['scamper', ['scam'], undefined],
    ['no-scam-here', ['scam'], 'scam'],
    ['ｓｃａｍ', ['scam'], 'scam'],
    ['free\n  money', ['free money'], 'free money'],
    ['freemoney', ['free money'], 'free money'],
    ['free, money', ['free money'], 'free money'],
    ['freedom money', ['free money'], undefined],
    ['Replica/Rolex', ['rolex'], 'rolex'],
    ['RÖLEX', ['rolex'], 'rolex'],
    ['T-Shirt', ['tshirt'], 'tshirt'],
    ['偽物ブランド', ['偽物'], '偽物'],
    ['مُقَلَّد', ['مقلد'], 'مقلد'],
    ['Été', ['été'], 'été'],
    ['anything', [], undefined],
    ['anything', ['!!!'], undefined],
  ])('in %j of %j: %s', (text, words, found) => {
    expect(findBannedWord(text, words)).toBe(found);
  });
});

describe('judging an ad', () => {
  const ad = {
    title: 'Chair',
    description: 'Oak',
    location: 'Ghent',
    details: { brand: 'Thonet' },
    external_link: null as string | null,
  };
  const nobody = { isVerified: false, approvedAds: 0 };
  const judge = (moderationMode: 'automatic' | 'manual' | 'trusted', seller = nobody, text = ad) =>
    judgeAd({ ...DEFAULT_SETTINGS, moderationMode }, seller, text);

  test('automatic lets it through, manual never', () => {
    expect(judge('automatic')).toBe('pass');
    expect(judge('manual', { isVerified: true, approvedAds: 99 })).toBe('question');
  });
  test('trusted asks for a verified seller or three approved ads', () => {
    expect(judge('trusted')).toBe('question');
    expect(judge('trusted', { isVerified: false, approvedAds: 2 })).toBe('question');
    expect(judge('trusted', { isVerified: false, approvedAds: 3 })).toBe('pass');
    expect(judge('trusted', { isVerified: true, approvedAds: 0 })).toBe('pass');
  });
  test('a banned word goes to review in every mode, in title, description, location, details and link', () => {
    expect(judge('automatic', nobody, { ...ad, title: 'Fake chair' })).toBe('question');
    expect(judge('automatic', nobody, { ...ad, details: { brand: 'Fake' } })).toBe('question');
    expect(judge('trusted', { isVerified: true, approvedAds: 9 }, { ...ad, description: 'not illegal' })).toBe(
      'question',
    );
    expect(judge('automatic', nobody, { ...ad, location: 'Scam City' })).toBe('question');
    expect(judge('automatic', nobody, { ...ad, external_link: 'https://fake.example/watch' })).toBe('question');
  });
});
