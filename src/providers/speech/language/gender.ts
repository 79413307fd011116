/** First names of male voices of Azure, ElevenLabs and OpenAI; all others count as female. */
const male = new Set(
  `adam alonzo alvaro amir andrew antoni antonio arnold ash ashraf bashkar benoit bill brandon brian callum charlie chris christoph christopher
  clyde conrad daniel dariush davis derek diego donato duarte echo elias enrique eric ethan fabio fabrice farid filip finn florian george
  gianni giorgio giuseppe guy hamdan hamed harri henri humberto jacob jan jason jean jenson jeppe jerome jonas jorge josh julio kai karsten keita
  killian klaus laith lamberto liam lorenzo luca luka luke macerio madhur manuel marc marco marcus marek marius masaru mateo mathias mattias
  maurice michael mohammed moussa mustafa namminh naoki nestor niwat oliver onyx ollie ostap otto patrick paul pavel ralf remy rinaldo rishi
  roger roman ryan sam saul shakir shaun steffan stefanos sunil thomas tim tony valerio valluvar verse victor wayne will william yunfeng yunhao yunjian
  yunxi yunyang yves ahmet antonin dmitry maxim injoon hyunsu bongjin gookmin`.split(/\s+/),
);

/** `en-US-GuyNeural` → male; `Rachel` → female. */
export function isMaleVoice(voice: string | undefined): boolean {
  const name = (voice ?? '').replace(/^[a-z]{2,3}-(?:[A-Z][a-z]{3}-)?[A-Z]{2}-/, '').replace(/(?:Dragon|Multilingual|HD|Neural|V\d).*$/, '');
  return male.has((name.split(/[\s_:-]/)[0] ?? '').toLowerCase()) || /(^|[-_ ])(male|man)([-_ ]|$)/i.test(voice ?? '');
}
