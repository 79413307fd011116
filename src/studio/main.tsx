import './style/fonts.css';
import './style/base.css';
import './style/layout.css';
import './style/editor.css';
import './style/stage.css';
import './style/panels.css';
import { render } from 'preact';
import { examples } from './gallery/examples.js';
import { formatJson } from './script/format-json.js';
import { createStudio } from './state/studio.js';
import { App } from './view/app.js';

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
const base = new URL('.', document.baseURI);
const place = document.getElementById('studio');
const { script, at } = examples[0] ?? { script: { scenes: [] }, at: 0 };
if (place !== null) render(<App studio={createStudio(base, { text: `${formatJson(script)}\n`, at })} nonce={nonce} />, place);
