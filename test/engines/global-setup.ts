import startForJourneys from '../e2e/global-setup.ts';
import { prepareScreens } from '../e2e/screen-data.ts';
import { startCollector } from './collector.ts';

/** Starts a marketplace behind a collector, and publishes the names of its screens as E2E_SCREEN_NAMES. */
export default async function startForEngines(): Promise<() => Promise<void>> {
  const collector = await startCollector();
  process.env.PUBLIC_URL = collector.url;
  const stop = await startForJourneys();
  collector.forwardTo(process.env.E2E_SERVER ?? '');
  process.env.E2E_SCREEN_NAMES = JSON.stringify([...(await prepareScreens(collector.url))]);
  return async () => {
    collector.close();
    await stop();
  };
}
