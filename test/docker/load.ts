import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Load {
  answered: number;
  /** One line per request that got no response or a 5xx. */
  failures: string[];
  stop(): Promise<void>;
}

const ask = (url: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const call = request(url, { agent }, (answer) => {
      answer
        .resume()
        .on('end', () => resolve(answer.statusCode ?? 0))
        .on('error', reject);
    });
    call.on('error', reject).end();
  });

/** Starts readers. Each requests one page after another over a keep-alive connection. */
export function startLoad(origin: string, paths: string[], people = 8): Load {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: people });
  const load: Load = { answered: 0, failures: [], stop: async () => {} };
  let stopped = false;
  const read = async (person: number): Promise<void> => {
    for (let i = person; !stopped; i++) {
      const path = paths[i % paths.length] ?? '/';
      try {
        const status = await ask(origin + path, agent);
        if (status >= 500) load.failures.push(`${path}: ${status}`);
      } catch (error) {
        load.failures.push(`${path}: ${(error as Error).message}`);
      }
      load.answered++;
      await sleep(10);
    }
  };
  const running = Array.from({ length: people }, (_, person) => read(person));
  load.stop = async () => {
    stopped = true;
    await Promise.all(running);
    agent.destroy();
  };
  return load;
}
