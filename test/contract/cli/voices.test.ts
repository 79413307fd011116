import { expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';

it('voices list shows the available voices, as text and as JSON', async () => {
  const env = { FRAMEWRIGHT_VOICE_ELEVENLABS_KEY: 'very-secret-key' };
  const [shown, json] = await Promise.all([runCli(['voices', 'list'], { env }), runCli(['voices', 'list', '--json'], { env })]);
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toMatch(/^yes {2}festival +times of words/m);
  expect(shown.stdout).toMatch(/^no {3}azure +FRAMEWRIGHT_VOICE_AZURE_KEY is not set/m);
  const { engines } = JSON.parse(json.stdout) as { engines: Array<{ model: string; available: boolean; voices: unknown[] }> };
  expect(engines.find(({ model }) => model === 'elevenlabs-v3')).toMatchObject({ available: true, detail: 'asked at https://api.elevenlabs.io' });
  expect(engines.find(({ model }) => model === 'flite')?.voices).toContainEqual({ voice: 'rms', languages: 'en', gender: 'male' });
  expect(shown.stdout + json.stdout).not.toContain('very-secret-key');
});
