/** What was started, to be stopped in the opposite order. */
export interface Stack {
  add: (stop: () => unknown) => void;
  stop: () => Promise<void>;
}

export const createStack = (): Stack => {
  const stops: (() => unknown)[] = [];
  return {
    add: (stop) => void stops.push(stop),
    stop: async () => {
      for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
    },
  };
};
