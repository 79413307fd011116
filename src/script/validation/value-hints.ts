interface Hint {
  /** Hyphenated property names. */
  names: string;
  when: (value: unknown) => boolean;
  advice: string;
}

const is = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value.trim());
const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const isNumber = (value: unknown) => typeof value === 'number';
const isPercentage = (value: unknown) => is(/^[\d.]+\s*%$/)(value) || (typeof value === 'number' && value >= 20);

/** Hints for values from other tools and for frequent mistakes. */
const hints: readonly Hint[] = [
  { names: 'resolution', when: is(/^(4k|uhd|2160p?|ultra-?hd)$/i), advice: 'write "width": 3840, "height": 2160 instead' },
  { names: 'resolution', when: is(/^\d+\s*[x×*:]\s*\d+$/i), advice: 'write width and height instead' },
  { names: 'resolution', when: is(/^(1080p?|fhd|fullhd)$/i), advice: 'write "full-hd"' },
  { names: 'resolution', when: is(/^720p?$/i), advice: 'write "hd"' },
  { names: 'resolution', when: is(/^(landscape|horizontal|wide(screen)?|youtube|16[:x/]9)$/i), advice: 'write "full-hd"' },
  { names: 'resolution', when: is(/^(vertical|portrait|story|tiktok|reels?|shorts?|youtube-shorts?)$/i), advice: 'write "instagram-story"' },
  { names: 'quality', when: is(/^(very[-_ ]?high|ultra|max(imum)?)$/i), advice: '"high" is the best there is' },
  { names: 'codec', when: is(/^(avc1?|x264|libx264|h\.264|mp4)$/i), advice: 'write "h264"' },
  { names: 'codec', when: is(/^(x265|libx265|h\.?265|hvc1)$/i), advice: 'write "hevc"' },
  { names: 'codec', when: is(/^(av01|libsvtav1|svt-?av1)$/i), advice: 'write "av1"' },
  { names: 'type', when: is(/^(music|sound|soundtrack|bgm|mp3)$/i), advice: 'write "audio"' },
  { names: 'type', when: is(/^(picture|photo|img|gif|background)$/i), advice: 'write "image"' },
  { names: 'type', when: is(/^(captions?|subs|srt)$/i), advice: 'write "subtitles"' },
  { names: 'type', when: is(/^(tts|speech|narration|voice-?over|text-to-speech)$/i), advice: 'write "voice"' },
  { names: 'type', when: is(/^(title|heading|headline|rich-?text)$/i), advice: 'write "text"' },
  { names: 'type', when: is(/^(clip|movie|film)$/i), advice: 'write "video"' },
  {
    names: 'type',
    when: is(/^(shape|rect(angle)?|box|circle|ellipse|polygon)$/i),
    advice: 'write a "component", such as "shape/rectangle" or "shape/polygon"',
  },
  { names: 'type', when: is(/^template$/i), advice: 'saved templates are rendered by POST /api/render/template' },
  { names: 'position', when: is(/^(middle|centre|absolute-center)$/i), advice: 'write "center"' },
  { names: 'x y', when: is(/^(center|centre|middle|left|right|top|bottom)$/i), advice: 'to place it in words write position, such as "position": "center"' },
  { names: 'width height', when: is(/^(auto|full|fill)$/i), advice: 'write -1 for its natural size, "100%" for all of the canvas, or resize' },
  { names: 'duration', when: is(/^(auto|full|natural|scene|end)$/i), advice: 'write -1 for its own length, or -2 to last as long as the scene' },
  { names: 'duration start', when: is(/^[\d.]+\s*s(ec(onds?)?)?$/i), advice: 'write the seconds as a number' },
  { names: 'duration start', when: is(/^\d+\s*ms$/i), advice: 'write seconds as a number' },
  { names: 'zoom', when: isObject, advice: 'write a number, such as 3 or -3; keyframes of scale travel between two sizes' },
  { names: 'scale', when: (value) => isNumber(value) || typeof value === 'string', advice: 'write {"width": 640, "height": 360}, or keyframes of scale' },
  { names: 'rotate', when: (value) => isNumber(value) || typeof value === 'string', advice: 'write {"angle": 15}' },
  { names: 'transition', when: (value) => typeof value === 'string', advice: 'write {"style": "fade", "duration": 1}' },
  { names: 'style type', when: is(/^cross-?fade$/i), advice: 'write "fade"' },
  { names: 'style', when: is(/^(none|cut)$/i), advice: 'leave the transition out' },
  { names: 'style', when: is(/^(hormozi|karaoke|tiktok|highlight|beast|pop)$/i), advice: '"classic" and "boxed-word" highlight the spoken word' },
  { names: 'correction', when: is(/./), advice: 'write {"brightness": 0.1}' },
  { names: 'chroma-key', when: is(/./), advice: 'write {"color": "#00ff00"}' },
  { names: 'background background-color', when: (value) => is(/^(https?:|url\()/i)(value), advice: 'for an image use an image element with "resize": "cover"' },
  { names: 'background background-color', when: is(/gradient\(/i), advice: 'use an html element for gradients' },
  {
    names: 'background background-color color font-color box-color line-color word-color outline-color shadow-color',
    when: is(/^(0x)?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i),
    advice: 'write # before the digits, such as "#ff8800"',
  },
  { names: 'style', when: is(/^(bold|italic|underline|uppercase)$/i), advice: 'write font-weight, font-style, text-decoration or text-transform' },
  { names: 'font-weight', when: is(/^(thin|light|medium|semi-?bold|demi-?bold|extra-?bold|black|heavy)$/i), advice: 'from thin to black they are 100 to 900' },
  { names: 'text-align', when: is(/^(middle|centre|center-center)$/i), advice: 'write "center"' },
  { names: 'vertical-position vertical-align horizontal-position horizontal-align', when: is(/^\w+-\w+$/), advice: 'each of the two directions has its own' },
  { names: 'pan', when: is(/^up$/i), advice: 'write "top"' },
  { names: 'pan', when: is(/^down$/i), advice: 'write "bottom"' },
  { names: 'opacity', when: isPercentage, advice: 'write half as 0.5' },
  { names: 'volume', when: isPercentage, advice: 'write 1 to leave it as it is, and 0.5 for half' },
  { names: 'pre-delay', when: (value) => Number(value) >= 1, advice: 'write seconds; 20 ms are 0.02' },
  { names: 'wet', when: isPercentage, advice: 'write half as 0.5' },
  { names: 'attack release', when: (value) => Number(value) >= 1, advice: 'write seconds; 5 ms are 0.005' },
  { names: 'text', when: Array.isArray, advice: 'write one text, in which a line break or <br> begins a new line' },
];

/** A hint on what to write instead of an invalid value; undefined if there is none. */
export function valueHint(name: string, value: unknown): string | undefined {
  const plain = name.replaceAll('_', '-');
  return hints.find((hint) => hint.names.split(' ').includes(plain) && hint.when(value))?.advice;
}
