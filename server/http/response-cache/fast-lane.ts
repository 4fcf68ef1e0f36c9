import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppContext } from '../../app-context.ts';
import type { ImageKey } from '../../integrations/storage/storage.ts';
import { mayCall } from '../../policy.ts';
import type { RouterContext } from '../endpoints/bind.ts';
import { routes } from '../endpoints/routes.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { parseImagePath, toImageResponse } from '../media/media.ts';
import { countVisit } from '../middleware/count-visits.ts';
import { ownHost } from '../middleware/host-check.ts';
import type { MaintenanceWatch } from '../middleware/maintenance.ts';
import { isSignedOut, toViewer } from '../request-info.ts';
import type { RequestState } from '../state.ts';
import { createResponseWriter, type EncodedResponse } from './answer-writer.ts';
import { type CachedResponse, chooseFinished } from './prepared-answer.ts';
import { hasJustWritten } from './read-your-writes.ts';

export type Handle = (req: IncomingMessage, res: ServerResponse, state: RequestState) => void;

export interface LaneTools extends Pick<RouterContext, 'sessions' | 'responseCache' | 'personalCache'> {
  appContext: AppContext;
  lifecycle: Lifecycle;
  maintenance: MaintenanceWatch;
}

type Find = (req: IncomingMessage, state: RequestState) => EncodedResponse | undefined;

/** What the same address was answered within the last second. Limits protect the database, which this does not ask. */
const findShared =
  ({ responseCache }: LaneTools): Find =>
  (req, state) => {
    const answer = responseCache.peek(req.url ?? '');
    if (!answer || hasJustWritten(req) || (answer.isForSignedOut && !isSignedOut(req))) return undefined;
    const finished = chooseFinished(answer, req.headers);
    if (finished instanceof Promise) return undefined;
    state.route = answer.route as string;
    answer.onSend?.(toViewer(req, state.ip));
    return finished;
  };

/** The same for answers to one person: who asks is still read and judged. */
function findPersonal({ sessions, personalCache }: LaneTools): Find {
  const hot = new Map(
    routes.flatMap(({ spec }) => (spec.hot && spec.method === 'GET' ? [[spec.path, spec] as const] : [])),
  );
  return (req, state) => {
    const url = req.url ?? '';
    const spec = hot.get(url);
    if (!spec || hasJustWritten(req)) return undefined;
    const actor = sessions.peekActor(req);
    const finished = actor && mayCall(actor, spec.access) ? personalCache.find(actor.id, url) : undefined;
    if (!finished) return undefined;
    state.actor = actor as NonNullable<typeof actor>;
    state.route = spec.path;
    return finished;
  };
}

/**
 * Answers from memory what needs nothing but memory, before Koa, whose list of middlewares costs more than such an answer.
 * Whatever is not plain goes on to `pass` untouched: another method or host, maintenance, somebody who has just written.
 */
export function createFastLane(tools: LaneTools, pass: Handle): Handle {
  const { appContext, lifecycle, maintenance } = tools;
  const { imageCache, config } = appContext;
  const write = createResponseWriter(config);
  const host = ownHost(config);
  const shared = findShared(tools);
  const personal = findPersonal(tools);

  const isPlain = ({ method, headers }: IncomingMessage): boolean =>
    method === 'GET' && headers.host === host && lifecycle.phase === 'ready' && maintenance.isOff();

  const answer = (req: IncomingMessage, res: ServerResponse, state: RequestState, finished: EncodedResponse): void => {
    countVisit(appContext, req, state, finished.status);
    write(res, finished, state.requestId);
  };

  /** Nobody catches behind the lane: whatever goes wrong here is left to Koa, which answers errors. */
  const giveUp = (err: unknown, ...[req, res, state]: Parameters<Handle>): void => {
    state.log.warn({ err }, 'the fast lane gave up');
    if (res.headersSent) res.destroy();
    else pass(req, res, state);
  };

  const pictures = new WeakMap<Buffer, CachedResponse>();
  const recall = (key: ImageKey, bytes: Buffer): CachedResponse => {
    const known = pictures.get(bytes);
    if (known) return known;
    const picture = toImageResponse(key, bytes);
    pictures.set(bytes, picture);
    return picture;
  };
  const answerPicture = (picture: CachedResponse, ...[req, res, state]: Parameters<Handle>): void =>
    answer(req, res, state, chooseFinished(picture, req.headers) as EncodedResponse);

  const findPicture: Handle = (req, res, state) => {
    const key = parseImagePath(req.url ?? '');
    const bytes = key && imageCache.peek(key);
    if (key && bytes) return answerPicture(recall(key, bytes), req, res, state);
    if (!key || !imageCache.isOnDisk(key)) return pass(req, res, state);
    imageCache
      .get(key)
      .then((read) => (read ? answerPicture(toImageResponse(key, read), req, res, state) : pass(req, res, state)))
      .catch((error) => giveUp(error, req, res, state));
  };

  const tryAnswer: Handle = (req, res, state) => {
    if (!isPlain(req)) return pass(req, res, state);
    if (req.url?.startsWith('/media/')) return findPicture(req, res, state);
    const finished = shared(req, state) ?? personal(req, state);
    if (finished) answer(req, res, state, finished);
    else pass(req, res, state);
  };

  return function answerFast(req, res, state) {
    try {
      tryAnswer(req, res, state);
    } catch (error) {
      giveUp(error, req, res, state);
    }
  };
}
