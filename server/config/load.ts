import { readFileSync } from 'node:fs';
import { listRefusals } from './rules.ts';
import { type ConfigGroup, type ConfigValues, type ConfigVariable, variables } from './schema.ts';

export { variables };

export interface Config extends ConfigValues {
  readonly isProduction: boolean;
  /** Cookies are Secure, HSTS is sent. */
  readonly isHttps: boolean;
  readonly databaseDirectUrl: string;
  readonly contactEmail: string;
  /** Replies are parsed against the contract: in tests. */
  readonly checkReplies: boolean;
}

export type Environment = Record<string, string | undefined>;

/** All that is wrong with the environment, one line each; `exitCode` 3. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  readonly exitCode = 3;
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((p) => `  ${p}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads a variable or the file that NAME_FILE names. An empty variable counts as not set. */
function readRaw(name: string, env: Environment): string | undefined {
  const value = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return value;
  if (value !== undefined) throw new Error(`${name} and ${name}_FILE are both set`);
  let content: string;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  if (content === '') throw new Error(`${name}_FILE is empty`);
  return content;
}

/** zod/mini has no words of its own for a choice. */
const describeIssue = (issue: { code?: string; message: string; values?: unknown } | undefined): string => {
  if (issue?.code === 'invalid_value' && Array.isArray(issue.values))
    return `must be one of ${issue.values.join(', ')}`;
  return issue?.message ?? 'is not valid';
};

function readVariable(v: ConfigVariable, env: Environment, isNeeded: boolean): unknown {
  const raw = readRaw(v.name, env);
  if (raw === undefined && isNeeded && v.requiredInProduction) throw new Error(`${v.name} is required in production`);
  const parsed = v.schema.safeParse(raw ?? v.default);
  if (!parsed.success) throw new Error(`${v.name} ${describeIssue(parsed.error.issues[0])}`);
  return parsed.data;
}

/**
 * The environment as frozen, typed configuration. Nothing else reads process.env. Throws ConfigError. A program that
 * needs some `groups` only (the terminal bans users without X's secrets) may lack what production requires of the others.
 */
export function readConfig(env: Environment, groups?: readonly ConfigGroup[]): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, v] of Object.entries<ConfigVariable>(variables)) {
    try {
      // the first of them says whether this is production
      const isNeeded = values.nodeEnv === 'production' && (groups?.includes(v.group) ?? true);
      values[key] = readVariable(v, env, isNeeded);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  if (!groups) problems.push(...listRefusals(values));
  if (problems.length > 0) throw new ConfigError(problems);
  const read = values as unknown as ConfigValues;
  return Object.freeze({
    ...read,
    isProduction: read.nodeEnv === 'production',
    isHttps: read.publicUrl.startsWith('https:'),
    databaseDirectUrl: read.databaseDirectUrl ?? read.databaseUrl,
    contactEmail: read.contactEmail ?? read.supportEmail,
    checkReplies: read.nodeEnv === 'test',
  });
}
