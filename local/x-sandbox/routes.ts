import { createAuthorize } from './authorize.ts';
import { showAvatar } from './avatars.ts';
import { showAccountSettings, showComposer, showFollow, submitComposer } from './composer.ts';
import { revokeConnectedApp, showConnectedApps } from './connected-apps.ts';
import { controlRoutes } from './control.ts';
import type { Handler } from './exchange.ts';
import type { LogEntry } from './request-log.ts';
import { showPost, showProfile, showTimeline } from './timelines.ts';
import { issueToken, revokeToken } from './token.ts';
import { createTweet, deleteTweet, showTweet } from './tweets.ts';
import { showMe } from './users.ts';
import { pickPersona } from './who.ts';

/** Everything the sandbox answers, the more particular paths first. */
const listRoutes = (log: LogEntry[]): [string, string, Handler][] => {
  const authorize = createAuthorize();
  return [
    ...controlRoutes(log),
    ['GET', '/i/oauth2/authorize', authorize.show],
    ['POST', '/i/oauth2/authorize', authorize.decide],
    ['POST', '/i/account', pickPersona],
    ['POST', '/2/oauth2/token', issueToken],
    ['POST', '/2/oauth2/revoke', revokeToken],
    ['GET', '/2/users/me', showMe],
    ['POST', '/2/tweets', createTweet],
    ['GET', '/2/tweets/:id', showTweet],
    ['DELETE', '/2/tweets/:id', deleteTweet],
    ['GET', '/intent/tweet', showComposer],
    ['GET', '/intent/post', showComposer],
    ['POST', '/intent/tweet', submitComposer],
    ['GET', '/intent/follow', showFollow],
    ['GET', '/intent/user', showFollow],
    ['GET', '/settings/account', showAccountSettings],
    ['GET', '/settings/connected_apps', showConnectedApps],
    ['POST', '/settings/connected_apps', revokeConnectedApp],
    ['GET', '/profile_images/:file', showAvatar],
    ['GET', '/', showTimeline],
    ['GET', '/i/web/status/:id', showPost],
    ['GET', '/:username/status/:id', showPost],
    ['GET', '/:username', showProfile],
  ];
};

export type FindRoute = (method: string, path: string) => { handler: Handler; params: Record<string, string> } | null;

export const createRouter = (log: LogEntry[]): FindRoute => {
  const routes = listRoutes(log).map(([method, path, handler]) => ({
    method,
    pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
    handler,
  }));
  return (method, path) => {
    for (const route of routes) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (match) return { handler: route.handler, params: { ...match.groups } };
    }
    return null;
  };
};
