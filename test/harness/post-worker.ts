import { createAppContext } from '../../server/app-context.ts';
import { readConfig } from '../../server/config/load.ts';
import { jobHandlers } from '../../server/job-handlers.ts';
import { startWorker } from '../../server/jobs/worker.ts';

const app = createAppContext(readConfig(process.env));
startWorker(app, jobHandlers);
setInterval(() => {}, 60_000);
