/** Advice for property names from other tools, by the schema title of the part of the script. */
interface Hint {
  /** Property names without hyphens and underscores, in lower case. */
  names: string;
  /** Schema titles. */
  parts: readonly string[];
  advice: string;
}

const visualMedia = ['Image', 'Video'];
const media = ['Image', 'Video', 'Audio'];
const visuals = ['Text', 'Image', 'Video', 'HTML', 'Component', 'Audiogram'];
const elements = [...visuals, 'Audio', 'Voice', 'Subtitles'];
const lettering = ['Text', 'Text settings'];

const hints: readonly Hint[] = [
  // Movie.
  {
    parts: ['Movie script'],
    names: 'template templateid',
    advice: 'a saved template is rendered by POST /api/render/template with its template_id and variables',
  },
  { parts: ['Movie script'], names: 'webhook webhookurl webhookuri callback callbackurl', advice: 'write the URL as webhook_uri' },
  {
    parts: ['Movie script'],
    names: 'soundtrack audio music backgroundmusic bgm backgroundaudio',
    advice: 'put an audio element with "duration": -2 into the movie\'s elements',
  },
  { parts: ['Movie script'], names: 'subtitles captions subtitle', advice: 'put an element {"type": "subtitles"} into the movie\'s elements' },
  { parts: ['Movie script'], names: 'movie timeline script payload json body composition', advice: 'the scenes stand at the top of the script' },
  { parts: ['Movie script'], names: 'duration length', advice: 'a movie is as long as its scenes; give each of them a duration' },
  { parts: ['Movie script'], names: 'framerate rate', advice: 'write it as fps' },
  { parts: ['Movie script'], names: 'size dimensions format output aspectratio ratio', advice: 'write width and height, or resolution' },
  { parts: ['Movie script'], names: 'clips slides tracks', advice: 'write them as scenes' },
  // Scenes.
  {
    parts: ['Scene'],
    names: 'backgroundimage backgroundvideo image video src',
    advice: 'put an image or video element with "resize": "cover" first into its elements',
  },
  { parts: ['Scene'], names: 'audio music voice voiceover narration speech', advice: 'put an audio or voice element into its elements' },
  { parts: ['Scene'], names: 'text title caption headline', advice: 'put a text element into its elements' },
  { parts: ['Scene'], names: 'layers clips items children', advice: 'write them as elements' },
  { parts: ['Scene'], names: 'length time seconds', advice: 'write the seconds as duration' },
  { parts: ['Transition'], names: 'name effect in out transition kind', advice: 'write the name of the transition as style' },
  // Elements.
  { parts: ['HTML', ...media], names: 'url uri source file link href mediaurl imageurl videourl audiourl path', advice: 'write the URL as src' },
  { parts: ['Text', 'Voice'], names: 'content caption value label string body script', advice: 'write the words as text' },
  { parts: ['HTML'], names: 'content code markup body text', advice: 'write the page or snippet as html' },
  { parts: ['Subtitles'], names: 'text srt vtt ass cues subtitles file url', advice: 'write SRT, WebVTT or ASS, or a URL of it, as captions' },
  { parts: ['Audiogram'], names: 'source audio src', advice: 'it draws the sound of its scene or movie; add the sound as an audio element' },
  { parts: visualMedia, names: 'description imageprompt videoprompt textprompt', advice: 'write what is to be seen as prompt' },
  { parts: visualMedia, names: 'ratio aspect', advice: 'write "aspect-ratio": "horizontal", "vertical" or "squared"' },
  { parts: visuals, names: 'objectfit fit fitmode scalemode', advice: 'write "resize": "cover" (fills the canvas) or "contain" (shows all)' },
  {
    parts: visuals,
    names: 'animation animations animate effect effects motion tween entrance exit',
    advice: 'write keyframes (of x, y, scale, rotation and opacity), or fade-in, fade-out, zoom, pan or rotate',
  },
  { parts: visuals, names: 'boxshadow elevation', advice: 'write it as drop-shadow, true or {"color", "blur", "x", "y"}' },
  { parts: visuals, names: 'outerglow neon bloom', advice: 'write it as glow, true or {"color", "radius", "intensity"}' },
  { parts: visuals, names: 'transformorigin origin pivot anchorpoint', advice: 'write it as anchor, such as "bottom-left" or {"x": 0, "y": 1}' },
  { parts: visuals, names: 'rotation3d transform3d tilt', advice: 'write it as rotate-x and rotate-y, in degrees' },
  { parts: visuals, names: 'cornerpin quad distort', advice: 'write the four points as corners' },
  { parts: visuals, names: 'rotation angle', advice: 'write "rotate": {"angle": 15}' },
  {
    parts: visuals,
    names: 'filter filters colorcorrection brightness contrast saturation gamma',
    advice: 'write it in "correction": {}; blur is a property of its own',
  },
  { parts: visuals, names: 'motionblurred shutter shutterangle', advice: 'write it as motion-blur: true, or a fraction of the frame up to 1' },
  { parts: visuals, names: 'filmgrain noise', advice: 'write it as grain, 0 to 1' },
  { parts: visuals, names: 'sharpness unsharp sharpening', advice: 'write it as sharpen, 0 to 1' },
  { parts: visuals, names: 'left', advice: 'write it as x' },
  { parts: visuals, names: 'top', advice: 'write it as y' },
  { parts: visuals, names: 'layer zindexes order', advice: 'write it as z-index' },
  { parts: visualMedia, names: 'borderradius radius style shape rounded', advice: 'write "corner-radius", with "50%" for a circle or an ellipse' },
  { parts: elements, names: 'length durationseconds durationms', advice: 'write the seconds as duration' },
  { parts: elements, names: 'delay startat starttime begin', advice: 'write the seconds as start' },
  {
    parts: ['Video', 'Audio'],
    names: 'trim trimstart startfrom from clipstart cutfrom',
    advice: 'write the seconds to skip as seek, and those to play as duration',
  },
  { parts: ['Video', 'Audio', 'Voice'], names: 'stereo audiopan panning', advice: 'write it as balance, -1 (left) to 1 (right)' },
  { parts: ['Audio', 'Voice'], names: 'pan', advice: 'write it as balance, -1 (left) to 1 (right)' },
  { parts: ['Video', 'Audio', 'Voice'], names: 'eq equaliser', advice: 'write its filters as equalizer, a list' },
  { parts: ['Video', 'Audio', 'Voice'], names: 'compression compress dynamics drc', advice: 'write it as compressor: true' },
  { parts: ['Video', 'Audio', 'Voice'], names: 'reverberation echo room', advice: 'write "reverb": "room", "hall" or "plate"' },
  { parts: ['Video', 'Audio', 'Voice'], names: 'denoiser noisereduction noisegate noise reducenoise', advice: 'write "denoise": true, or decibels' },
  { parts: ['Reverb'], names: 'mix amount drywet level', advice: 'write the share of the reverb as wet, 0 to 1' },
  { parts: ['Reverb'], names: 'rt60 time duration length tail', advice: 'write the seconds as decay' },
  { parts: ['Reverb'], names: 'type style name', advice: 'write it as preset' },
  { parts: ['Compressor'], names: 'gain makeupgain outputgain', advice: 'write the decibels as makeup' },
  { parts: ['Compressor'], names: 'attackms releasems', advice: 'write the seconds as attack and release' },
  { parts: ['Video', 'Audio'], names: 'playbackrate rate timescale', advice: 'write it as speed; 2 is twice as fast' },
  { parts: ['Video'], names: 'freezeframe hold holdframe pause', advice: 'write "freeze": {"time": 2, "duration": 1.5}' },
  { parts: ['Speed keyframe'], names: 'speed rate factor', advice: 'write the speed as value' },
  { parts: ['Video', 'Audio'], names: 'reversed backwards backward', advice: 'write "reverse": true' },
  { parts: ['Freeze'], names: 'at start frame from', advice: 'write the seconds from the start of the element as time' },
  { parts: ['Freeze'], names: 'length for seconds', advice: 'write the seconds as duration' },
  { parts: ['Voice'], names: 'rate pace', advice: 'write it as speed; 1 is normal' },
  { parts: ['HTML'], names: 'css styles', advice: 'write it into a <style> of html, or property by property into settings' },
  { parts: ['Rotate'], names: 'degrees deg rotation value', advice: 'write the degrees as angle' },
  { parts: ['Crop'], names: 'left', advice: 'write it as x' },
  { parts: ['Crop'], names: 'top', advice: 'write it as y' },
  { parts: ['Component'], names: 'name pack id', advice: 'write pack and name as component, such as "basic/000"' },
  // Styling.
  {
    parts: lettering,
    names: 'stroke strokecolor strokewidth outline outlinecolor outlinewidth textoutline textstrokecolor textstrokewidth',
    advice: 'write "text-stroke": "2px #000000"',
  },
  {
    parts: ['Text'],
    names: 'html richtext rich spans span runs formatted',
    advice: 'write "markup": true, and tags like <b> and <span style="color: gold"> into text',
  },
  { parts: lettering, names: 'language locale', advice: 'write it as lang' },
  { parts: lettering, names: 'size textsize', advice: 'write it as font-size' },
  { parts: ['Text settings'], names: 'animation animate effect', advice: 'write style, 002 to 010, on the element itself' },
  { parts: lettering, names: 'align alignment textalignment', advice: 'write it as text-align' },
  { parts: lettering, names: 'background backgroundcolour bgcolor boxcolor', advice: 'write it as background-color' },
  { parts: ['Text settings'], names: 'textwidth', advice: 'width is that of the text block' },
  { parts: ['Text settings'], names: 'dropshadow', advice: 'write text-shadow for the letters, and box-shadow for the block' },
  { parts: ['Subtitle settings'], names: 'highlightcolor activecolor activewordcolor currentcolor', advice: 'write it as word-color' },
  { parts: ['Subtitle settings'], names: 'color textcolor', advice: 'write it as line-color, and word-color for the spoken word' },
  {
    parts: ['Subtitle settings'],
    names: 'verticalalign verticalposition align alignment textalign horizontalalign horizontalposition',
    advice: 'write position, such as "bottom-center"',
  },
  { parts: ['Subtitle settings'], names: 'backgroundcolor background bgcolor', advice: 'write it as box-color, with "style": "boxed-line"' },
  { parts: ['Subtitle settings'], names: 'stroke strokecolor textstroke', advice: 'write outline-color and outline-width' },
  { parts: ['Subtitle settings'], names: 'strokewidth', advice: 'write it as outline-width' },
  { parts: ['Subtitle settings'], names: 'uppercase texttransform caps', advice: 'write "all-caps": true' },
  { parts: ['Subtitle settings'], names: 'maxwords wordsperline maxcharsperline maxlinelength', advice: 'write it as max-words-per-line' },
  {
    parts: ['Subtitle settings'],
    names: 'margin marginbottom margintop marginv bottom offset padding',
    advice: 'write offset-y, or "position": "custom" with x and y',
  },
  { parts: ['Subtitle settings'], names: 'animation effect animate', advice: 'write style' },
  { parts: ['Subtitle settings'], names: 'textshadow shadow', advice: 'write shadow-color and shadow-offset' },
];

const byName = new Map<string, Hint[]>();
for (const hint of hints) for (const name of hint.names.split(' ')) byName.set(name, [...(byName.get(name) ?? []), hint]);

/** Advice for an unknown property of the part with this title. */
export function propertyHint(name: string, title: string | undefined): string | undefined {
  const plain = name.toLowerCase().replaceAll(/[-_ ]/g, '');
  return byName.get(plain)?.find(({ parts }) => parts.includes(title ?? ''))?.advice;
}
