import { expect, it } from 'vitest';
import { createOutbound } from '../../../src/outbound/index.js';
import { checkWebhook } from '../../../src/render/plan/check-webhook.js';
import { parseMovie } from '../../../src/script/index.js';

const movie = (webhook_uri?: string) => parseMovie({ scenes: [{ duration: 1 }], ...(webhook_uri !== undefined && { webhook_uri }) });
const checkTo = (address: string) => createOutbound({ allowPrivateHosts: [], resolve: async () => [address] }).checkResolved;

it('fails a render whose webhook has a name that leads inside', async () => {
  await expect(checkWebhook(movie('https://hooks.example.com/'), checkTo('169.254.169.254'))).rejects.toMatchObject({
    code: 'RENDER_FAILED',
    message: 'webhook_uri is refused: it does not lead to a public address.',
  });
});

it('lets pass a webhook that leads outside, and a movie without one', async () => {
  await checkWebhook(movie('https://hooks.example.com/'), checkTo('93.184.216.34'));
  await checkWebhook(movie(), checkTo('169.254.169.254'));
});
