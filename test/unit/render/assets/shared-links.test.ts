import { expect, test } from 'vitest';
import { directDownloadUrl } from '../../../../src/render/assets/shared-links.js';

const drive = 'https://drive.usercontent.google.com/download?id=1AbC_d-9&export=download&confirm=t';

test.each([
  ['https://drive.google.com/file/d/1AbC_d-9/view?usp=sharing', drive],
  ['https://drive.google.com/file/d/1AbC_d-9/view?resourcekey=0-x', `${drive}&resourcekey=0-x`],
  ['https://drive.google.com/open?id=1AbC_d-9', drive],
  ['https://drive.google.com/uc?export=download&id=1AbC_d-9', drive],
  ['https://www.dropbox.com/s/abc/clip.mp4?dl=0', 'https://www.dropbox.com/s/abc/clip.mp4?dl=1'],
  ['https://www.dropbox.com/scl/fi/abc/clip.mp4?rlkey=k&dl=0', 'https://www.dropbox.com/scl/fi/abc/clip.mp4?rlkey=k&dl=1'],
])('%s leads to its file', (link, file) => {
  expect(directDownloadUrl(link)).toBe(file);
});

test.each([
  'https://example.com/file/d/1AbC/view',
  'https://drive.google.com/drive/folders/1AbC',
  'https://drive.google.com/open?id=../x',
  'https://www.dropbox.com/s/abc/clip.mp4?raw=1',
  'https://www.dropbox.com/home',
  'http://drive.google.com/open?id=1AbC',
  'https://drive.google.com.example.com/open?id=1AbC',
  'media/photo.png',
])('%s stays as it is', (url) => {
  expect(directDownloadUrl(url)).toBe(url);
});
