/**
 * An address that takes part in no other syntax: an unquoted local part of ASCII, and a host name with a dot. Line breaks,
 * commas and quotes are not in it, so it can neither add a header nor name a second person.
 */
const ADDRESS =
  /^(?=.{1,254}$)(?=[^@]{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/i;

/** Whether mail can be sent there. International host names must be in their ASCII form. */
export const isEmailAddress = (address: string): boolean => ADDRESS.test(address);
