let usd: Intl.NumberFormat | undefined;

/** A price from the API ("1200.00") as people read it: "$1,200", "$9.50". */
export function formatPrice(price: string | number): string {
  // made when it is first needed: that loads what Intl knows of the language, 40 ms of a server's start
  usd ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' });
  return usd.format(Number(price));
}
