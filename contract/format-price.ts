let usd: Intl.NumberFormat | undefined;

export function formatPrice(price: string | number): string {
  // created on first use: loading Intl's data slows down the start of the server
  usd ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' });
  return usd.format(Number(price));
}
