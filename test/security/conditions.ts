/** One condition of a rule, and where it stands in the file. */
export interface Condition {
  rule: string;
  text: string;
  from: number;
  to: number;
}

const RULE = /export const (\w+) = \([^;]*?\): boolean =>\s*([^;]+);/g;

/** Where an expression is cut: `&&`, `||`, `?` and `:` outside of parentheses. */
const findCuts = (text: string): number[][] => {
  const cuts: number[][] = [];
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    else if (depth > 0) continue;
    else if (/^(&&|\|\|)/.test(text.slice(i, i + 2))) cuts.push([i, i + 2]);
    else if (/^ [?:] /.test(text.slice(i, i + 3))) cuts.push([i, i + 3]);
  }
  return cuts;
};

/** The conditions that an expression is made of, those inside its own parentheses too. */
const splitExpression = (rule: string, source: string, from: number, to: number): Condition[] => {
  const text = source.slice(from, to);
  const start = from + (text.length - text.trimStart().length);
  const trimmed = text.trim();
  if (trimmed.startsWith('(') && trimmed.endsWith(')') && findCuts(trimmed).length === 0)
    return splitExpression(rule, source, start + 1, start + trimmed.length - 1);
  const cuts = findCuts(trimmed);
  if (cuts.length === 0) return [{ rule, text: trimmed, from: start, to: start + trimmed.length }];
  const edges = [0, ...cuts.flat(), trimmed.length];
  return Array.from({ length: cuts.length + 1 }, (_, i) =>
    splitExpression(rule, source, start + edges[2 * i]!, start + edges[2 * i + 1]!),
  ).flat();
};

/** Every condition of every exported rule of a policy file. */
export const listConditions = (source: string): Condition[] =>
  [...source.matchAll(RULE)].flatMap((match) => {
    const [whole, rule = '', expression = ''] = match;
    const from = match.index + whole.length - 1 - expression.length;
    return splitExpression(rule, source, from, from + expression.length);
  });
