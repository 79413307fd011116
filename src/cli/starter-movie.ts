/** A coloured box: a text element without letters, with a background. */
const block = (background: string, box: { x: number; y: number; width: number; height: number }, more: object = {}): object => ({
  type: 'text',
  text: ' ',
  ...box,
  settings: { background, width: `${box.width}px`, min_height: `${box.height}px`, ...more },
});

const canvas = { x: 0, y: 0, width: 1280, height: 720 };

/** The movie that `init` writes. It needs no media, browser or network. */
export const starterMovie = {
  comment: 'A starter movie. docs/script.md describes every property. Run `framewright watch` on this file while you edit it.',
  width: 1280,
  height: 720,
  fps: 30,
  variables: { name: 'your video' },
  scenes: [
    {
      comment: 'A gradient and a title that appears word by word',
      duration: 3.5,
      elements: [
        block('linear-gradient(135deg, #16324f, #2f6f8f 55%, #f2b27a)', canvas),
        {
          type: 'text',
          text: 'This is {{name}}',
          style: '003',
          position: 'center-center',
          y: -30,
          font: 'Montserrat',
          font_weight: 800,
          font_size: 96,
          text_shadow: '0 6px 30px rgba(10, 20, 40, 0.5)',
        },
        { type: 'text', text: 'made of text, shapes and time', start: 1.2, fade_in: 0.6, position: 'center-center', y: 70, font: 'Inter', font_size: 36 },
      ],
    },
    {
      comment: 'Shapes that move: keyframes set their positions over time',
      duration: 4,
      background: '#0b1021',
      transition: { style: 'wipe', direction: 'left', duration: 0.8 },
      elements: [
        {
          ...block('radial-gradient(circle at 35% 30%, #ffd27a, #ff7a3d 60%, #d0006f)', { x: 140, y: 210, width: 300, height: 300 }, { border_radius: '50%' }),
          keyframes: [
            { time: 0, x: 0, easing: 'easeInOutCubic' },
            { time: '100%', x: 700 },
          ],
        },
        {
          ...block('#2f6f8f', { x: 520, y: 240, width: 240, height: 240 }, { border_radius: '28px', border: '6px solid #9fd8e6' }),
          opacity: 0.85,
          keyframes: [
            { time: 0, rotation: 0, easing: 'easeInOutSine' },
            { time: '100%', rotation: 180 },
          ],
        },
        { type: 'text', text: 'Everything has a place and a time', position: 'bottom-center', y: -10, height: 90, font: 'Oswald', font_size: 44 },
      ],
    },
    {
      comment: 'A component: a ready-made lower third. docs/packs.md shows all of them',
      duration: 3.5,
      transition: { style: 'circleopen', duration: 0.8 },
      elements: [
        block('linear-gradient(180deg, #20283a, #3a5a78)', canvas),
        { type: 'component', component: 'basic/050', settings: { headline: { text: 'Your name' }, lead: { text: 'writes videos in JSON' } } },
      ],
    },
  ],
};
