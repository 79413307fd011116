/** What to write instead of names that other tools have or habit suggests, by the title of the part of the script. */
interface Hint {
  /** Without hyphens and underscores, in small letters. */
  names: string;
  parts: readonly string[];
  say: string;
}

const pictures = ['Image', 'Video'];
const media = ['Image', 'Video', 'Audio'];
const visuals = ['Text', 'Image', 'Video', 'HTML', 'Component', 'Audiogram'];
const elements = [...visuals, 'Audio', 'Voice', 'Subtitles'];
const lettering = ['Text', 'Text settings'];

const hints: readonly Hint[] = [
  // Of the whole movie.
  {
    parts: ['Movie script'],
    names: 'template templateid',
    say: 'a saved template is rendered by POST /api/render/template with its template_id and variables',
  },
  { parts: ['Movie script'], names: 'webhook webhookurl webhookuri callback callbackurl', say: 'write the URL as webhook_uri' },
  {
    parts: ['Movie script'],
    names: 'soundtrack audio music backgroundmusic bgm backgroundaudio',
    say: 'put an audio element with "duration": -2 into the movie\'s elements',
  },
  { parts: ['Movie script'], names: 'subtitles captions subtitle', say: 'put an element {"type": "subtitles"} into the movie\'s elements' },
  { parts: ['Movie script'], names: 'movie timeline script payload json body composition', say: 'the scenes stand at the top of the script' },
  { parts: ['Movie script'], names: 'duration length', say: 'a movie is as long as its scenes; give each of them a duration' },
  { parts: ['Movie script'], names: 'framerate rate', say: 'write it as fps' },
  { parts: ['Movie script'], names: 'size dimensions format output aspectratio ratio', say: 'write width and height, or resolution' },
  { parts: ['Movie script'], names: 'clips slides tracks', say: 'write them as scenes' },
  // Of a scene.
  {
    parts: ['Scene'],
    names: 'backgroundimage backgroundvideo image video src',
    say: 'put an image or video element with "resize": "cover" first into its elements',
  },
  { parts: ['Scene'], names: 'audio music voice voiceover narration speech', say: 'put an audio or voice element into its elements' },
  { parts: ['Scene'], names: 'text title caption headline', say: 'put a text element into its elements' },
  { parts: ['Scene'], names: 'layers clips items children', say: 'write them as elements' },
  { parts: ['Scene'], names: 'length time seconds', say: 'write the seconds as duration' },
  { parts: ['Transition'], names: 'name effect in out transition kind', say: 'write the name of the transition as style' },
  // Of elements.
  { parts: ['HTML', ...media], names: 'url uri source file link href mediaurl imageurl videourl audiourl path', say: 'write the URL as src' },
  { parts: ['Text', 'Voice'], names: 'content caption value label string body script', say: 'write the words as text' },
  { parts: ['HTML'], names: 'content code markup body text', say: 'write the page or snippet as html' },
  { parts: ['Subtitles'], names: 'text srt vtt ass cues subtitles file url', say: 'write SRT, WebVTT or ASS, or a URL of it, as captions' },
  { parts: ['Audiogram'], names: 'source audio src', say: 'it draws the sound of its scene or movie; add the sound as an audio element' },
  { parts: pictures, names: 'description imageprompt videoprompt textprompt', say: 'write what is to be seen as prompt' },
  { parts: pictures, names: 'ratio aspect', say: 'write "aspect-ratio": "horizontal", "vertical" or "squared"' },
  { parts: visuals, names: 'objectfit fit fitmode scalemode', say: 'write "resize": "cover" (fills the canvas) or "contain" (shows all)' },
  {
    parts: visuals,
    names: 'animation animations animate effect effects motion tween entrance exit',
    say: 'write keyframes (of x, y, scale, rotation and opacity), or fade-in, fade-out, zoom, pan or rotate',
  },
  { parts: visuals, names: 'rotation angle', say: 'write "rotate": {"angle": 15}' },
  {
    parts: visuals,
    names: 'filter filters colorcorrection brightness contrast saturation gamma',
    say: 'write it in "correction": {}; blur is a property of its own',
  },
  { parts: visuals, names: 'left', say: 'write it as x' },
  { parts: visuals, names: 'top', say: 'write it as y' },
  { parts: visuals, names: 'layer zindexes order', say: 'write it as z-index' },
  { parts: pictures, names: 'borderradius radius style shape rounded', say: 'write "corner-radius", with "50%" for a circle or an ellipse' },
  { parts: elements, names: 'length durationseconds durationms', say: 'write the seconds as duration' },
  { parts: elements, names: 'delay startat starttime begin', say: 'write the seconds as start' },
  {
    parts: ['Video', 'Audio'],
    names: 'trim trimstart startfrom from clipstart cutfrom',
    say: 'write the seconds to skip as seek, and those to play as duration',
  },
  { parts: ['Video', 'Audio'], names: 'speed playbackrate rate', say: 'media play at their own speed here' },
  { parts: ['Voice'], names: 'rate pace', say: 'write it as speed; 1 is normal' },
  { parts: ['HTML'], names: 'css styles', say: 'write it into a <style> of html, or property by property into settings' },
  { parts: ['Rotate'], names: 'degrees deg rotation value', say: 'write the degrees as angle' },
  { parts: ['Crop'], names: 'left', say: 'write it as x' },
  { parts: ['Crop'], names: 'top', say: 'write it as y' },
  { parts: ['Component'], names: 'name pack id', say: 'write pack and name as component, such as "basic/000"' },
  // Of styling.
  {
    parts: lettering,
    names: 'stroke strokecolor strokewidth outline outlinecolor outlinewidth textoutline textstrokecolor textstrokewidth',
    say: 'write "text-stroke": "2px #000000"',
  },
  { parts: lettering, names: 'size textsize', say: 'write it as font-size' },
  { parts: ['Text settings'], names: 'animation animate effect', say: 'write style, 002 to 010, on the element itself' },
  { parts: lettering, names: 'align alignment textalignment', say: 'write it as text-align' },
  { parts: lettering, names: 'background backgroundcolour bgcolor boxcolor', say: 'write it as background-color' },
  { parts: ['Text settings'], names: 'textwidth', say: 'width is that of the text block' },
  { parts: ['Text settings'], names: 'dropshadow', say: 'write text-shadow for the letters, and box-shadow for the block' },
  { parts: ['Subtitle settings'], names: 'highlightcolor activecolor activewordcolor currentcolor', say: 'write it as word-color' },
  { parts: ['Subtitle settings'], names: 'color textcolor', say: 'write it as line-color, and word-color for the word that is said' },
  {
    parts: ['Subtitle settings'],
    names: 'verticalalign verticalposition align alignment textalign horizontalalign horizontalposition',
    say: 'write position, such as "bottom-center"',
  },
  { parts: ['Subtitle settings'], names: 'backgroundcolor background bgcolor', say: 'write it as box-color, with "style": "boxed-line"' },
  { parts: ['Subtitle settings'], names: 'stroke strokecolor textstroke', say: 'write outline-color and outline-width' },
  { parts: ['Subtitle settings'], names: 'strokewidth', say: 'write it as outline-width' },
  { parts: ['Subtitle settings'], names: 'uppercase texttransform caps', say: 'write "all-caps": true' },
  { parts: ['Subtitle settings'], names: 'maxwords wordsperline maxcharsperline maxlinelength', say: 'write it as max-words-per-line' },
  {
    parts: ['Subtitle settings'],
    names: 'margin marginbottom margintop marginv bottom offset padding',
    say: 'write offset-y, or "position": "custom" with x and y',
  },
  { parts: ['Subtitle settings'], names: 'animation effect animate', say: 'write style' },
  { parts: ['Subtitle settings'], names: 'textshadow shadow', say: 'write shadow-color and shadow-offset' },
];

const byName = new Map<string, Hint[]>();
for (const hint of hints) for (const name of hint.names.split(' ')) byName.set(name, [...(byName.get(name) ?? []), hint]);

/** What to do about an unknown property of the part with this title. */
export function propertyHint(name: string, title: string | undefined): string | undefined {
  const plain = name.toLowerCase().replaceAll(/[-_ ]/g, '');
  return byName.get(plain)?.find(({ parts }) => parts.includes(title ?? ''))?.say;
}
