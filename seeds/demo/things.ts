import type { PhotoKind } from '../photos.ts';

interface Things {
  /** The usual price in dollars. */
  price: number;
  photos: PhotoKind;
  nouns: string[];
}

const TABLE = `
electronics: 140 electronics: headphones, television, speaker, smartwatch, projector, game console, phone, soundbar
vehicles: 6500 vehicles: hatchback, pickup, motorcycle, van, sedan, trailer, scooter, roof box
real-estate: 1500 other: apartment, garage, studio, cabin, parking space, garden plot, house, room
furniture: 160 furniture: sofa, dining table, armchair, bookcase, wardrobe, desk, bed frame, sideboard
clothing: 35 clothing: jacket, dress, sweater, sneakers, coat, jeans, scarf, boots
books: 14 books: novels, cookbook, textbook, comics, vinyl records, atlas, magazines, board book
sports: 60 sports: bicycle, tennis racket, skis, kayak, dumbbells, basketball, surfboard, treadmill
home-garden: 45 home-garden: lawn mower, planter, lamp, rug, grill, hedge trimmer, curtains, house plant
toys: 20 toys: train set, puzzle, teddy bear, doll house, board game, building bricks, kite, marbles
health-beauty: 25 other: hair dryer, perfume, massage chair, shaver, mirror, scale, skincare set, trimmer
computers: 420 electronics: laptop, monitor, keyboard, graphics card, printer, tablet, router, workstation
musical-instruments: 280 other: guitar, piano, drum kit, violin, synthesizer, trumpet, ukulele, amplifier
tools: 70 services: drill, circular saw, workbench, ladder, toolbox, welder, sander, air compressor
photography: 350 electronics: camera, lens, tripod, flash, camera bag, light stand, film scanner, drone
jewelry: 120 other: necklace, ring, bracelet, wristwatch, earrings, brooch, cufflinks, pendant
collectibles: 50 other: stamps, coins, trading cards, model cars, posters, figurines, medals, postcards
art: 180 home-garden: oil painting, print, sculpture, easel, watercolor, frame, drawing, photograph
baby-kids: 40 toys: stroller, crib, high chair, car seat, baby monitor, bunk bed, playpen, changing table
pets: 35 home-garden: aquarium, dog bed, cat tree, leash, bird cage, pet carrier, hamster cage, scratching post
appliances: 190 other: kettle, washing machine, refrigerator, blender, coffee machine, microwave, oven, vacuum cleaner
office: 75 furniture: office chair, filing cabinet, whiteboard, shredder, standing desk, desk lamp, label printer, shelf
industrial: 900 services: forklift, pallet rack, generator, conveyor, lathe, pump, scaffold, container
services: 60 services: tutoring, moving help, gardening, web design, repairs, cleaning, translation, dog walking
tickets: 70 other: concert tickets, festival pass, theater tickets, museum pass, match tickets, voucher, travel pass, cinema tickets
other: 30 other: mystery box, gift basket, spare parts, moving boxes, fabric, candles, jars, umbrella
`;

/** By slug of the category. */
export const THINGS: Record<string, Things> = Object.fromEntries(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [slug = '', kind = '', nouns = ''] = line.split(': ');
      const [price, photos] = kind.split(' ');
      return [slug, { price: Number(price), photos: photos as PhotoKind, nouns: nouns.split(', ') }];
    }),
);

export const ADJECTIVES =
  'used, new, vintage, solid, light, heavy, compact, large, small, red, blue, black, white, green, oak, steel, leather, folding, portable, antique, modern, classic, handmade, professional, clean, complete, boxed, signed, spare, rare'.split(
    ', ',
  );

/** First sentences of descriptions. `%` is replaced by the item. */
export const OPENINGS = [
  'Selling my %, in good condition.',
  'This % was hardly used and works as it should.',
  'We are moving, so the % has to go.',
  'Bought two years ago, always looked after: a % for somebody who will use it.',
  'The % comes from a smoke-free home.',
  'For sale: %. Cash on pickup, or ask about delivery.',
  'A % with small signs of wear, see the pictures.',
  'Received the % as a gift and have no room for it.',
];

/** A sentence that some descriptions end with, in a script without spaces. `%` is replaced by one of JAPANESE_THINGS. */
export const JAPANESE_ENDING = '日本語でもどうぞ：%です。';

export const JAPANESE_THINGS =
  '自転車, 電動自転車, ワイヤレスイヤホン, 掃除機, 洗濯機, 冷蔵庫, 食器棚, 本棚, 電子レンジ, ベビーカー, 腕時計, 扇風機, 加湿器, 座椅子, 炊飯器'.split(
    ', ',
  );

export const CITIES =
  'Portland OR, Salem OR, Seattle WA, Tacoma WA, Spokane WA, Boise ID, Denver CO, Boulder CO, Austin TX, Dallas TX, Houston TX, El Paso TX, Chicago IL, Peoria IL, Boston MA, Salem MA, Albany NY, Buffalo NY, Brooklyn NY, Newark NJ, Trenton NJ, Miami FL, Tampa FL, Orlando FL, Atlanta GA, Savannah GA, Nashville TN, Memphis TN, Detroit MI, Lansing MI, Columbus OH, Toledo OH, Phoenix AZ, Tucson AZ, Oakland CA, San Diego CA, Fresno CA, Sacramento CA, Reno NV, Las Vegas NV, Omaha NE, Lincoln NE, Madison WI, Milwaukee WI, Duluth MN, St. Paul MN, Richmond VA, Norfolk VA, Charlotte NC, Raleigh NC'
    .split(', ')
    .map((city) => city.replace(/ ([A-Z]{2})$/, ', $1'));

export const FIRST_NAMES =
  'Ada, Ben, Carla, David, Elena, Felix, Grace, Hugo, Iris, Jonas, Kira, Liam, Maya, Noah, Olga, Paul, Quinn, Rosa, Sam, Tara, Uma, Victor, Wanda, Xenia, Yusuf, Zoe'.split(
    ', ',
  );
export const LAST_NAMES =
  'Abbott, Baker, Castro, Dalton, Ellis, Fischer, Garcia, Hansen, Ito, Jensen, Khan, Larsen, Mendez, Novak, Okafor, Price, Quist, Rossi, Silva, Tanaka, Urban, Vega, Weber, Xu, Young, Ziegler'.split(
    ', ',
  );
