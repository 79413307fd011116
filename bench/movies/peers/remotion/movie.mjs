import { createElement as h, useEffect, useState } from 'react';
import {
  AbsoluteFill,
  Audio,
  Composition,
  continueRender,
  delayRender,
  Img,
  interpolate,
  OffthreadVideo,
  registerRoot,
  Sequence,
  staticFile,
  useCurrentFrame,
} from 'remotion';

/** The reference movies as React components; what differs between them comes as properties. Bundled by `render.mjs`. */

const fadeFrames = 15;
const within = { extrapolateLeft: 'clamp', extrapolateRight: 'clamp' };
const fadeIn = (frame) => interpolate(frame, [0, fadeFrames], [0, 1], within);

/** `text` in the middle of a box of the canvas. */
const Line = ({ text, pixels, weight = 700, box: [left, top, width, height], style }) =>
  h(
    'div',
    {
      style: {
        ...{ position: 'absolute', left, top, width, height, display: 'flex', alignItems: 'center', justifyContent: 'center' },
        ...{ fontFamily: 'Inter', fontSize: pixels, fontWeight: weight, color: 'white', whiteSpace: 'nowrap', ...style },
      },
    },
    text,
  );

const Logo = ({ logo }) => h(Img, { src: staticFile(logo), style: { position: 'absolute', left: 1680, top: 40, width: 200, height: 200, opacity: 0.8 } });

const Slide = ({ photo, title, frames, maxScale, isFirst }) => {
  const frame = useCurrentFrame();
  const scale = 1 + (maxScale - 1) * Math.min(1, frame / frames);
  const photoStyle = { width: '100%', height: '100%', objectFit: 'cover', transform: `scale(${scale})` };
  return h(
    AbsoluteFill,
    { style: { opacity: isFirst ? 1 : fadeIn(frame), overflow: 'hidden' } },
    h(Img, { src: staticFile(photo), style: photoStyle }),
    h(Line, { text: title, pixels: 96, box: [160, 480, 1600, 140], style: { opacity: fadeIn(frame) } }),
  );
};

const Slideshow = ({ photos, titles, frames, maxScale, logo, music }) => {
  const last = photos.length - 1;
  const slides = photos.map((photo, k) =>
    h(
      Sequence,
      { key: photo, from: k * frames, durationInFrames: frames + (k < last ? fadeFrames : 0) },
      h(Slide, { photo, title: titles[k], frames, maxScale, isFirst: k === 0 }),
    ),
  );
  return h(AbsoluteFill, null, ...slides, h(Logo, { logo }), h(Audio, { src: staticFile(music) }));
};

const LowerThird = ({ text, frames }) => {
  const left = interpolate(useCurrentFrame(), [0, fadeFrames, frames - fadeFrames, frames], [-920, 80, 80, -920], within);
  return h(Line, { text, pixels: 56, box: [left, 820, 900, 140], style: { background: 'rgba(0, 0, 0, 0.6)' } });
};

const Overlay = ({ clip, text, enters, leaves, logo, music }) =>
  h(
    AbsoluteFill,
    null,
    h(OffthreadVideo, { src: staticFile(clip), volume: 0.6 }),
    h(Sequence, { from: enters, durationInFrames: leaves - enters }, h(LowerThird, { text, frames: leaves - enters })),
    h(Logo, { logo }),
    h(Audio, { src: staticFile(music), volume: 0.2 }),
  );

const Cards = ({ colours, lines, frames, music }) => {
  const cards = colours.map((colour, k) =>
    h(
      Sequence,
      { key: colour, from: k * frames, durationInFrames: frames },
      h(
        AbsoluteFill,
        { style: { background: colour } },
        h(Line, { text: lines[k][0], pixels: 110, box: [160, 380, 1600, 160] }),
        h(Line, { text: lines[k][1], pixels: 52, weight: 400, box: [160, 580, 1600, 90] }),
      ),
    ),
  );
  return h(AbsoluteFill, null, ...cards, h(Audio, { src: staticFile(music) }));
};

/** Frames are drawn once its letters are there. */
const WithFont = ({ children }) => {
  const [handle] = useState(() => delayRender('Inter'));
  useEffect(() => {
    const faces = [400, 700].map((weight) => new FontFace('Inter', `url(${staticFile(`inter-${weight}.woff2`)})`, { weight: String(weight) }));
    Promise.all(faces.map((face) => face.load())).then((loaded) => {
      for (const face of loaded) document.fonts.add(face);
      continueRender(handle);
    });
  }, [handle]);
  return children;
};

const kinds = { slideshow: Slideshow, overlay: Overlay, cards: Cards };

const Movie = ({ kind, ...properties }) => h(WithFont, null, h(kinds[kind], properties));

const Root = () =>
  h(Composition, {
    ...{ id: 'movie', component: Movie, width: 1920, height: 1080, fps: 30, durationInFrames: 1 },
    calculateMetadata: ({ props }) => ({ durationInFrames: props.length }),
  });

registerRoot(Root);
