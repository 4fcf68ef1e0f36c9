import { expect, test } from 'vitest';
import { findWarning } from './message-warnings.ts';

const OWN = 'market.example';

const CAREFUL: readonly [string, ReturnType<typeof findWarning>][] = [
  ['Please confirm here: https://paypa1-secure.example/claim?id=77', 'link'],
  ['look at http://198.51.100.7/pay', 'link'],
  ['More photos on www.my-cheap-phones.shop', 'link'],
  ['Add me on t.me/quickdeals99', 'link'],
  ['I use wa.me/15035550199 only', 'phone'],
  ['bit.ly/3xYz has the label', 'link'],
  ['Pay through market.example.secure-pay.com please', 'link'],
  ['Check tracking-dhl-parcel.info for your refund', 'link'],
  ['https://market.example@evil.test/login', 'email'],
  ['Write to anna.smith@gmail.com', 'email'],
  ['my mail: buyer77 (at) hotmail (dot) com', 'email'],
  ['reach me, tom.w at gmail', 'email'],
  ['Email JOHN_DOE@Example.Org instead', 'email'],
  ['jane[at]proton.me is better', 'email'],
  ['Call me at (503) 555-0199', 'phone'],
  ['text 503.555.0199 for the address', 'phone'],
  ['my cell 5035550199', 'phone'],
  ['+49 171 2345678 is my number', 'phone'],
  ['WhatsApp +44 7911 123456', 'phone'],
  ['0171/2345678 evenings', 'phone'],
  ['0044 20 7946 0958', 'phone'],
  ['five zero three five five five zero one nine nine', 'phone'],
  ['my number is 867 5309', 'phone'],
  ['I sent you a verification code, what is it?', 'code'],
  ['Google texted you a 6-digit code, send it so I know you are real', 'code'],
  ['Just tell me the code and I will release the payment', 'code'],
  ['You will get an OTP from the bank', 'code'],
  ['I can pay with an Amazon gift card today', 'gift card'],
  ['Buy two Steam cards and send me pictures', 'gift card'],
  ['I prefer a wire transfer before pick-up', 'wire transfer'],
  ['Please send the deposit by Western Union', 'wire transfer'],
  ['I will wire the money tomorrow', 'wire transfer'],
  ['My courier will bring the cash in an envelope', 'courier'],
  ['The shipping company will collect it and pay you', 'courier'],
  ['I am at sea, my movers will come and pick it up', 'courier'],
];

const HARMLESS: readonly string[] = [
  'Is this still available?',
  'It is size 42-44, fits large.',
  'Bought on 2024-11-05, invoice included',
  'Purchased 05.11.2024 in Berlin',
  'The car has 10 000 km on it',
  'It ran 125,000 miles so far.',
  'Would you take $1,250.00?',
  'I can offer 1.200,50 EUR',
  'Is it the WH-1000XM4 or the XM5?',
  'Samsung SM-G991B/DS, 128 GB',
  'Model number 20L7-001QUS',
  'Dimensions are 1920 x 1080 x 45 mm',
  'ISBN 978-3-16-148410-0, second edition',
  'Meet at 14:30 on Saturday?',
  'Between 18:00 and 19:30 works, 12 Main Street, 97201 Portland',
  'Serial starts with 1234567890',
  'Tyres 205/55 R16, date code 2319',
  'See https://market.example/ads/10023 for the other one',
  'My other ad is at www.market.example/ads/7',
  'What is your zip code?',
  'The area code and the discount code do not matter',
  'Comes with 3 m of copper wire and a transformer',
  'It was a gift for my son',
  'Cash only please, at your place.',
  'Can you do 80? I could come tonight.',
  'i7-9700K, 16 GB, GTX 1660, no SSD',
  'One two or three chairs?',
  'The price is 450, firm.',
  'Node.js book and a C++ one, good condition.Thanks',
  'It is 5.5 x 3.2 ft, 20 lbs, etc.',
  'Firmware 2.10.4 build 20240315',
  'Bus 17 or tram 4 to stop 1200',
  'Frame 56 cm, 2x11 gears, 8.9 kg',
];

test('the examples are at least sixty, about half of them harmless', () => {
  expect(CAREFUL.length + HARMLESS.length).toBeGreaterThanOrEqual(60);
  expect(Math.abs(CAREFUL.length - HARMLESS.length)).toBeLessThanOrEqual(4);
});

test.each(CAREFUL)('%s', (content, name) => {
  expect(findWarning(content, OWN)).toBe(name);
});

test.each(HARMLESS)('harmless: %s', (content) => {
  expect(findWarning(content, OWN)).toBeNull();
});

test('a hostile text is judged in linear time', () => {
  for (const part of ['0', '0 ', '+1-', 'a.', 'a@', 'one ', '(503) ', 'x (at) '])
    expect(() => findWarning(part.repeat(2000).slice(0, 2000), OWN)).not.toThrow();
});
