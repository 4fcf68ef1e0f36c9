import type { Place } from '../../../contract/places.ts';
import type { NamedPlace } from './repository.ts';

/** Regions that people of the country write as letters, by name. */
export const SHORT_REGIONS: Record<string, Record<string, string>> = {
  US: {
    Alabama: 'AL',
    Alaska: 'AK',
    Arizona: 'AZ',
    Arkansas: 'AR',
    California: 'CA',
    Colorado: 'CO',
    Connecticut: 'CT',
    Delaware: 'DE',
    'District of Columbia': 'DC',
    Florida: 'FL',
    Georgia: 'GA',
    Hawaii: 'HI',
    Idaho: 'ID',
    Illinois: 'IL',
    Indiana: 'IN',
    Iowa: 'IA',
    Kansas: 'KS',
    Kentucky: 'KY',
    Louisiana: 'LA',
    Maine: 'ME',
    Maryland: 'MD',
    Massachusetts: 'MA',
    Michigan: 'MI',
    Minnesota: 'MN',
    Mississippi: 'MS',
    Missouri: 'MO',
    Montana: 'MT',
    Nebraska: 'NE',
    Nevada: 'NV',
    'New Hampshire': 'NH',
    'New Jersey': 'NJ',
    'New Mexico': 'NM',
    'New York': 'NY',
    'North Carolina': 'NC',
    'North Dakota': 'ND',
    Ohio: 'OH',
    Oklahoma: 'OK',
    Oregon: 'OR',
    Pennsylvania: 'PA',
    'Rhode Island': 'RI',
    'South Carolina': 'SC',
    'South Dakota': 'SD',
    Tennessee: 'TN',
    Texas: 'TX',
    Utah: 'UT',
    Vermont: 'VT',
    Virginia: 'VA',
    Washington: 'WA',
    'West Virginia': 'WV',
    Wisconsin: 'WI',
    Wyoming: 'WY',
  },
  CA: {
    Alberta: 'AB',
    'British Columbia': 'BC',
    Manitoba: 'MB',
    'New Brunswick': 'NB',
    'Newfoundland and Labrador': 'NL',
    'Northwest Territories': 'NT',
    'Nova Scotia': 'NS',
    Nunavut: 'NU',
    Ontario: 'ON',
    'Prince Edward Island': 'PE',
    Quebec: 'QC',
    Saskatchewan: 'SK',
    Yukon: 'YT',
  },
  AU: {
    'Australian Capital Territory': 'ACT',
    'New South Wales': 'NSW',
    'Northern Territory': 'NT',
    Queensland: 'QLD',
    'South Australia': 'SA',
    Tasmania: 'TAS',
    Victoria: 'VIC',
    'Western Australia': 'WA',
  },
};

const shortenRegion = (country: string, region: string): string => SHORT_REGIONS[country]?.[region] ?? region;

const KIND_OF_REGION =
  /^(?:State|Province|Region|Canton) of | (?:Region|Province|Prefecture|Governorate|State|County|District|City)$/g;

/**
 * "Portland, OR" at home, "Salem, Tamil Nadu, IN" elsewhere. A region that has the city's own name is left out, also as
 * "State of Berlin" or "Riyadh Region".
 */
export const toPlaceLabel = (
  { name, region, country }: Pick<NamedPlace, 'name' | 'region' | 'country'>,
  homeCountry: string,
): string => {
  const isHome = country === homeCountry;
  if (region === null) return isHome ? name : `${name}, ${country}`;
  const short = isHome ? shortenRegion(country, region) : region;
  return [name, short.replace(KIND_OF_REGION, '') === name ? null : short, isHome ? null : country]
    .filter((part) => part !== null)
    .join(', ');
};

export const presentPlace = (place: NamedPlace, { homeCountry }: { homeCountry: string }): Place => ({
  ...place,
  label: toPlaceLabel(place, homeCountry),
});
