/** `make`, done once for each thing. */
export function memoize<Thing extends object, Made>(make: (thing: Thing) => Made): (thing: Thing) => Made {
  const made = new WeakMap<Thing, Made>();
  return (thing) => {
    const before = made.get(thing);
    if (before) return before;
    const now = make(thing);
    made.set(thing, now);
    return now;
  };
}
