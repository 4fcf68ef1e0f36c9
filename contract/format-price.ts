let usd: Intl.NumberFormat | undefined;

/** A price from the API ("1200.00") for display: "$1,200", "$9.50". */
export function formatPrice(price: string | number): string {
  // created on first use: loading Intl's data slows down the start of the server
  usd ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' });
  return usd.format(Number(price));
}
