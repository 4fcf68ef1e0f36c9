/** The link with another signature, whatever it ends with: its last letter but one is another one. */
export const forgeLink = (token: string): string => token.replace(/.(?=.$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
