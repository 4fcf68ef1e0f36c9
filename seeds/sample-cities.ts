/** Cities of the sample ads by GeoNames id. */
export const CITIES = {
  portland: { placeId: '5746545', location: 'Portland, OR' },
  salem: { placeId: '5750162', location: 'Salem, OR' },
  eugene: { placeId: '5725846', location: 'Eugene, OR' },
  bend: { placeId: '5713587', location: 'Bend, OR' },
  beaverton: { placeId: '5713376', location: 'Beaverton, OR' },
  hillsboro: { placeId: '5731371', location: 'Hillsboro, OR' },
  vancouver: { placeId: '5814616', location: 'Vancouver, WA' },
  seattle: { placeId: '5809844', location: 'Seattle, WA' },
  tacoma: { placeId: '5812944', location: 'Tacoma, WA' },
} as const;
