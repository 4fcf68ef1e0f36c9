/** Whether robots.txt lets a crawler of this name read the path: its own group, else that of "*"; longest rule wins. */
export const mayCrawl = (robots: string, agent: string, path: string): boolean => {
  const groups = readGroups(robots);
  const rules = groups.get(agent.toLowerCase()) ?? groups.get('*') ?? [];
  const longest = rules
    .filter(({ prefix }) => prefix !== '' && matches(prefix, path))
    .sort((a, b) => b.prefix.length - a.prefix.length || Number(b.allow) - Number(a.allow))[0];
  return longest?.allow ?? true;
};

interface Rule {
  allow: boolean;
  prefix: string;
}

const readGroups = (robots: string): Map<string, Rule[]> => {
  const groups = new Map<string, Rule[]>();
  let agents: string[] = [];
  let inRules = false;
  for (const line of robots.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    const name = field.toLowerCase();
    if (name === 'user-agent') {
      agents = inRules ? [value.trim().toLowerCase()] : [...agents, value.trim().toLowerCase()];
      inRules = false;
    } else if (name === 'allow' || name === 'disallow') {
      inRules = true;
      const rule = { allow: name === 'allow', prefix: value.trim() };
      for (const agent of agents) groups.set(agent, [...(groups.get(agent) ?? []), rule]);
    }
  }
  return groups;
};

const matches = (prefix: string, path: string): boolean => {
  const pattern = prefix.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${pattern.replace(/\\\$$/, '$')}`).test(path);
};
