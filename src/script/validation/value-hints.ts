interface Hint {
  /** Of properties, with hyphens. */
  names: string;
  when: (value: unknown) => boolean;
  say: string;
}

const is = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value.trim());
const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const isNumber = (value: unknown) => typeof value === 'number';
const isPercentage = (value: unknown) => is(/^[\d.]+\s*%$/)(value) || (typeof value === 'number' && value >= 20);

/** What to write instead of values that other tools have or habit suggests. */
const hints: readonly Hint[] = [
  { names: 'resolution', when: is(/^(4k|uhd|2160p?|ultra-?hd)$/i), say: 'write "width": 3840, "height": 2160 instead' },
  { names: 'resolution', when: is(/^\d+\s*[x×*:]\s*\d+$/i), say: 'write width and height instead' },
  { names: 'resolution', when: is(/^(1080p?|fhd|fullhd)$/i), say: 'write "full-hd"' },
  { names: 'resolution', when: is(/^720p?$/i), say: 'write "hd"' },
  { names: 'resolution', when: is(/^(landscape|horizontal|wide(screen)?|youtube|16[:x/]9)$/i), say: 'write "full-hd"' },
  { names: 'resolution', when: is(/^(vertical|portrait|story|tiktok|reels?|shorts?|youtube-shorts?)$/i), say: 'write "instagram-story"' },
  { names: 'quality', when: is(/^(very[-_ ]?high|ultra|max(imum)?)$/i), say: '"high" is the best there is' },
  { names: 'codec', when: is(/^(avc1?|x264|libx264|h\.264|mp4)$/i), say: 'write "h264"' },
  { names: 'codec', when: is(/^(x265|libx265|h\.?265|hvc1)$/i), say: 'write "hevc"' },
  { names: 'codec', when: is(/^(av01|libsvtav1|svt-?av1|vp9)$/i), say: 'write "av1"' },
  { names: 'type', when: is(/^(music|sound|soundtrack|bgm|mp3)$/i), say: 'write "audio"' },
  { names: 'type', when: is(/^(picture|photo|img|gif|background)$/i), say: 'write "image"' },
  { names: 'type', when: is(/^(captions?|subs|srt)$/i), say: 'write "subtitles"' },
  { names: 'type', when: is(/^(tts|speech|narration|voice-?over|text-to-speech)$/i), say: 'write "voice"' },
  { names: 'type', when: is(/^(title|heading|headline|rich-?text)$/i), say: 'write "text"' },
  { names: 'type', when: is(/^(clip|movie|film)$/i), say: 'write "video"' },
  { names: 'type', when: is(/^(shape|rect(angle)?|box|circle|ellipse|polygon)$/i), say: 'write a "component", such as "shape/rectangle" or "shape/polygon"' },
  { names: 'type', when: is(/^template$/i), say: 'saved templates are rendered by POST /api/render/template' },
  { names: 'position', when: is(/^(middle|centre|absolute-center)$/i), say: 'write "center"' },
  { names: 'x y', when: is(/^(center|centre|middle|left|right|top|bottom)$/i), say: 'to place it in words write position, such as "position": "center"' },
  { names: 'width height', when: is(/^(auto|full|fill)$/i), say: 'write -1 for its natural size, "100%" for all of the canvas, or resize' },
  { names: 'duration', when: is(/^(auto|full|natural|scene|end)$/i), say: 'write -1 for its own length, or -2 to last as long as the scene' },
  { names: 'duration start', when: is(/^[\d.]+\s*s(ec(onds?)?)?$/i), say: 'write the seconds as a number' },
  { names: 'duration start', when: is(/^\d+\s*ms$/i), say: 'write seconds as a number' },
  { names: 'zoom', when: isObject, say: 'write a number, such as 3 or -3; keyframes of scale travel between two sizes' },
  { names: 'scale', when: (value) => isNumber(value) || typeof value === 'string', say: 'write {"width": 640, "height": 360}, or keyframes of scale' },
  { names: 'rotate', when: (value) => isNumber(value) || typeof value === 'string', say: 'write {"angle": 15}' },
  { names: 'transition', when: (value) => typeof value === 'string', say: 'write {"style": "fade", "duration": 1}' },
  { names: 'style type', when: is(/^cross-?fade$/i), say: 'write "fade"' },
  { names: 'style', when: is(/^(none|cut)$/i), say: 'leave the transition out' },
  { names: 'style', when: is(/^(hormozi|karaoke|tiktok|highlight|beast|pop)$/i), say: '"classic" and "boxed-word" mark the word that is said' },
  { names: 'correction', when: is(/./), say: 'write {"brightness": 0.1}' },
  { names: 'chroma-key', when: is(/./), say: 'write {"color": "#00ff00"}' },
  { names: 'background background-color', when: (value) => is(/^(https?:|url\()/i)(value), say: 'a picture is an image element with "resize": "cover"' },
  { names: 'background background-color', when: is(/gradient\(/i), say: 'an html element draws gradients' },
  {
    names: 'background background-color color font-color box-color line-color word-color outline-color shadow-color',
    when: is(/^(0x)?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i),
    say: 'write # before the digits, such as "#ff8800"',
  },
  { names: 'style', when: is(/^(bold|italic|underline|uppercase)$/i), say: 'write font-weight, font-style, text-decoration or text-transform' },
  { names: 'font-weight', when: is(/^(thin|light|medium|semi-?bold|demi-?bold|extra-?bold|black|heavy)$/i), say: 'from thin to black they are 100 to 900' },
  { names: 'text-align', when: is(/^(middle|centre|center-center)$/i), say: 'write "center"' },
  { names: 'vertical-position vertical-align horizontal-position horizontal-align', when: is(/^\w+-\w+$/), say: 'each of the two directions has its own' },
  { names: 'pan', when: is(/^up$/i), say: 'write "top"' },
  { names: 'pan', when: is(/^down$/i), say: 'write "bottom"' },
  { names: 'opacity', when: isPercentage, say: 'write half as 0.5' },
  { names: 'volume', when: isPercentage, say: 'write 1 to leave it as it is, and 0.5 for half' },
  { names: 'text', when: Array.isArray, say: 'write one text, in which a line break or <br> begins a new line' },
];

/** What to write instead of a value that was refused. */
export function valueHint(name: string, value: unknown): string | undefined {
  const plain = name.replaceAll('_', '-');
  return hints.find((hint) => hint.names.split(' ').includes(plain) && hint.when(value))?.say;
}
