/** Makes something when it is first needed. Formats of Intl cost about a millisecond each, on phones several. */
export const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
