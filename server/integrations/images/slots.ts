/** Runs a piece of work once there is room for it. */
export type Slot = <R>(work: () => Promise<R>) => Promise<R>;

/** Room for `count` pieces of work at a time; the others wait in the order in which they came. */
export function createSlots(count: number): Slot {
  const waiting: (() => void)[] = [];
  let free = count;
  const take = () => (free > 0 ? void free-- : new Promise<void>((resolve) => waiting.push(resolve)));
  const give = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  return async (work) => {
    await take();
    try {
      return await work();
    } finally {
      give();
    }
  };
}
