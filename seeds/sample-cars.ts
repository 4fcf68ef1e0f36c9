import { CITIES } from './sample-cities.ts';
import type { SampleAd } from './sample-users.ts';

/** Cars with all their details. Oldest first. */
export const SAMPLE_CARS: SampleAd[] = [
  {
    by: 'dealer',
    title: 'Hatchback, 2015, one owner',
    description:
      'Serviced every year, all receipts are there. Two small scratches on the rear bumper. New tires last spring.\n\nTest drives in the evening.',
    price: '7900',
    priceType: 'negotiable',
    category: 'vehicles',
    ...CITIES.salem,
    condition: 'good',
    details: {
      make: 'Volkswagen',
      model: 'Golf',
      year: 2015,
      mileage: 98000,
      fuel: 'petrol',
      gearbox: 'manual',
      color: 'Red',
    },
    photos: ['red-car'],
    daysAgo: 24,
  },
  {
    by: 'reader',
    title: 'Family car with roof rack',
    description:
      'Reliable and roomy. The roof rack and winter tires are included. Inspection is valid for another year.',
    price: '5400',
    category: 'vehicles',
    ...CITIES.vancouver,
    condition: 'fair',
    details: {
      make: 'Toyota',
      model: 'Corolla',
      year: 2011,
      mileage: 164000,
      fuel: 'hybrid',
      gearbox: 'automatic',
      color: 'Blue',
    },
    photos: ['blue-car'],
    daysAgo: 23,
  },
];
