import type { PushDevice } from '../../../contract/push.ts';
import * as api from '../../../contract/push.ts';
import { route } from '../../endpoints/define.ts';
import { deleteSubscription, listSubscriptions, type PushDeviceRow } from './repository.ts';
import { getPushKeys } from './send.ts';
import { subscribeBrowser } from './service.ts';

const presentDevice = ({ endpoint, created_at }: PushDeviceRow): PushDevice => ({ endpoint, createdAt: created_at });

export const pushRoutes = [
  route(api.getPushKey, async ({ ctx }) => ({ publicKey: (await getPushKeys(ctx)).publicKey })),

  route(api.listPushSubscriptions, async ({ ctx, actor }) =>
    (await listSubscriptions(ctx.db, actor.id)).map(presentDevice),
  ),

  route(api.subscribeToPush, async ({ ctx, actor, body: { endpoint, keys }, request, reply }) => {
    const target = {
      endpoint,
      p256dh: Buffer.from(keys.p256dh, 'base64url'),
      auth: Buffer.from(keys.auth, 'base64url'),
    };
    const device = await subscribeBrowser(ctx, actor, target, request.findSessionHash());
    if (!device.is_new) reply.status(200);
    return presentDevice(device);
  }),

  route(api.unsubscribeFromPush, ({ ctx, actor, body }) => deleteSubscription(ctx.db, actor.id, body.endpoint)),
];
