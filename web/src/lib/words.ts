/** Words in lines, or between commas of any script: "جوال، هاتف", "自転車、チャリ". */
export const splitWords = (text: string): string[] =>
  text
    .split(/[\n,،、，]/)
    .map((word) => word.trim())
    .filter(Boolean);
