import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/index.js';
import { movieSchema, type ParseMovieOptions, parseMovie } from '../../../src/script/index.js';

function failureOf(script: unknown, options?: ParseMovieOptions): AppError {
  try {
    parseMovie(script, options);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return error as AppError;
  }
  throw new Error(`accepted: ${JSON.stringify(script)}`);
}

const text = (more: object): unknown => ({ scenes: [{ elements: [{ type: 'text', text: 'Hi', ...more }] }] });
const image = (more: object): unknown => ({
  scenes: [
    {},
    {
      elements: [
        { type: 'text', text: 'Hi' },
        { type: 'image', src: 'https://example.com/a.png', ...more },
      ],
    },
  ],
});
const video = (more: object): unknown => ({ scenes: [{}], elements: [{ type: 'video', src: 'https://example.com/a.mp4', ...more }] });
const audio = (more: object): unknown => ({ scenes: [{ elements: [{ type: 'audio', src: 'https://example.com/a.mp3', ...more }] }] });
const scene = (more: object): unknown => ({ scenes: [{ duration: 2 }, more] });
const movie = (more: object): unknown => ({ scenes: [{ duration: 2 }], ...more });

const IN_TEXT = 'scenes.0.elements.0';
const IN_IMAGE = 'scenes.1.elements.1';

const IN_FIRST = 'scenes.1.elements.0';
const cases: Array<[what: string, script: unknown, path: string, message: RegExp]> = [
  // Speed.
  ['a speed of 0', video({ speed: 0 }), 'elements.0.speed', /^speed must be a number from 0\.1 to 20, not 0\.$/],
  ['a negative speed', audio({ speed: '-1' }), 'scenes.0.elements.0.speed', /^speed must be a number from 0\.1 to 20, not "-1"\.$/],
  [
    'too many keyframes of speed',
    video({ speed: Array.from({ length: 101 }, (_, time) => ({ time, value: 2 })) }),
    'elements.0.speed',
    /^speed must be an array of at most 100 items, not 101\.$/,
  ],
  ['a keyframe of speed 0', video({ speed: [{ time: 0, value: 0 }] }), 'elements.0.speed.0.value', /^value must be a number from 0\.1 to 20, not 0\.$/],
  ['a keyframe without a value', video({ speed: [{ time: 0 }] }), 'elements.0.speed.0.value', /needs the property 'value'\.$/],
  ['no keyframes', video({ speed: [] }), 'elements.0.speed', /^speed must be an array of at least 1 item, not 0\.$/],
  [
    'keyframes that do not ascend',
    video({
      speed: [
        { time: 1, value: 1 },
        { time: 1, value: 2 },
      ],
    }),
    'elements.0.speed.1.time',
    /^time must be later than that of the keyframe before, which is 1, not 1\.$/,
  ],
  ['an easing that is not known', video({ speed: [{ time: 0, value: 1, easing: 'fast' }] }), 'elements.0.speed.0.easing', /^easing must be one of/],
  ['reverse of an image', image({ reverse: true }), `${IN_IMAGE}.reverse`, /^unknown property 'reverse' of an image/],
  ['a text for reverse', video({ reverse: 'yes' }), 'elements.0.reverse', /^reverse must be a boolean, not the string "yes"\.$/],
  // Freezes.
  ['a number for freeze', video({ freeze: 2 }), 'elements.0.freeze', /^freeze must be an object or an array, not 2\.$/],
  ['a freeze without a duration', video({ freeze: { time: 1 } }), 'elements.0.freeze.duration', /^a freeze needs the property 'duration'\.$/],
  ['a negative time', video({ freeze: { time: -1, duration: 1 } }), 'elements.0.freeze.time', /^time must be a number from 0 to 14400, not -1\.$/],
  [
    'a freeze of no length',
    video({ freeze: [{ time: 1, duration: 0 }] }),
    'elements.0.freeze.0.duration',
    /^duration must be a number above 0 and up to 14400, not 0\.$/,
  ],
  [
    'freezes that overlap',
    video({
      freeze: [
        { time: 1, duration: 1 },
        { time: 1.5, duration: 1 },
      ],
    }),
    'elements.0.freeze.1.time',
    /^time must be at or after the end of the freeze before, which is 2, not 1\.5\.$/,
  ],
  ['another name of time', video({ freeze: { at: 1, duration: 1 } }), 'elements.0.freeze.at', /write the seconds from the start of the element as time\.$/],
  ['a balance out of range', audio({ balance: 2 }), 'scenes.0.elements.0.balance', /from -1 to 1, not 2/],
  ['a word for balance', audio({ balance: 'left' }), 'scenes.0.elements.0.balance', /not "left"/],
  ['a pitch out of range', audio({ pitch: '13' }), 'scenes.0.elements.0.pitch', /^pitch must be a number from -12 to 12, not "13"\.$/],
  ['a band without a frequency', audio({ equalizer: [{ type: 'peak' }] }), 'scenes.0.elements.0.equalizer.0.frequency', /needs the property 'frequency'/],
  ['a band above hearing', audio({ equalizer: [{ type: 'peak', frequency: 30000 }] }), 'scenes.0.elements.0.equalizer.0.frequency', /from 20 to 20000/],
  ['a band of an unknown type', audio({ equalizer: [{ type: 'notch', frequency: 50 }] }), 'scenes.0.elements.0.equalizer.0.type', /"low_shelf", "peak"/],
  ['too many bands', audio({ equalizer: Array(11).fill({ type: 'peak', frequency: 50 }) }), 'scenes.0.elements.0.equalizer', /10/],
  ['a threshold above full scale', audio({ compressor: { threshold: 3 } }), 'scenes.0.elements.0.compressor.threshold', /from -60 to 0, not 3/],
  [
    'an attack in milliseconds',
    audio({ compressor: { attack: 5 } }),
    'scenes.0.elements.0.compressor.attack',
    /from 0.0001 to 1, not 5; write seconds; 5 ms are 0\.005\.$/,
  ],
  [
    'a release out of range as text',
    audio({ compressor: { release: '9' } }),
    'scenes.0.elements.0.compressor.release',
    /^release must be a number from 0.005 to 5, not "9"/,
  ],
  [
    'a word for makeup',
    audio({ compressor: { makeup: 'loud' } }),
    'scenes.0.elements.0.compressor.makeup',
    /^makeup must be "auto" or a number from 0 to 40, not "loud"\.$/,
  ],
  [
    'a word for a compressor',
    audio({ compressor: 'soft' }),
    'scenes.0.elements.0.compressor',
    /^compressor must be a boolean or an object, not the string "soft"\.$/,
  ],
  ['an unknown property of a compressor', audio({ compressor: { gain: 3 } }), 'scenes.0.elements.0.compressor.gain', /write the decibels as makeup\.$/],
  ['a compressor on an image', image({ compressor: true }), 'scenes.1.elements.1.compressor', /unknown property 'compressor' of an image/],
  [
    'an unknown reverb',
    audio({ reverb: 'cave' }),
    'scenes.0.elements.0.reverb',
    /^reverb must be true, false, "room", "hall", "plate" or an object, not "cave"\.$/,
  ],
  ['a number as a reverb', audio({ reverb: 0.5 }), 'scenes.0.elements.0.reverb', /not 0.5/],
  [
    'an unknown preset',
    audio({ reverb: { preset: 'hal' } }),
    'scenes.0.elements.0.reverb.preset',
    /^preset must be one of "room", "hall", "plate", not "hal"; did you mean "hall"\?$/,
  ],
  ['a decay out of range', audio({ reverb: { decay: 30 } }), 'scenes.0.elements.0.reverb.decay', /from 0.1 to 20, not 30/],
  ['a share in percent', audio({ reverb: { wet: '50%' } }), 'scenes.0.elements.0.reverb.wet', /write half as 0.5/],
  ['a delay in milliseconds', audio({ reverb: { pre_delay: 20 } }), 'scenes.0.elements.0.reverb.pre_delay', /write seconds; 20 ms are 0.02/],
  ['another name of the decay', audio({ reverb: { rt60: 2 } }), 'scenes.0.elements.0.reverb.rt60', /write the seconds as decay\.$/],
  ['too much noise reduction', audio({ denoise: 60 }), 'scenes.0.elements.0.denoise', /from 0 to 40.*not 60/],
  ['another name of it', audio({ noise_reduction: true }), 'scenes.0.elements.0.noise_reduction', /write "denoise": true, or decibels\.$/],
  ['an equalizer on an image', image({ equalizer: [] }), 'scenes.1.elements.1.equalizer', /unknown property 'equalizer' of an image/],
  ['freeze on audio', audio({ freeze: { time: 1, duration: 1 } }), 'scenes.0.elements.0.freeze', /unknown property 'freeze' of an audio/],
  // The root.
  ['null', null, '', /^The movie script must be an object, not null\.$/],
  ['an array', [], '', /must be an object, not an array/],
  ['a string', 'movie', '', /must be an object, not the string "movie"/],
  ['no scenes', {}, 'scenes', /^a movie script needs the property 'scenes'\.$/],
  ['empty scenes', { scenes: [] }, 'scenes', /^scenes must be an array of at least 1 item, not 0\.$/],
  ['scenes of another type', { scenes: 'x' }, 'scenes', /^scenes must be an array, not the string "x"\.$/],
  ['too many scenes', { scenes: Array.from({ length: 1001 }, () => ({})) }, 'scenes', /at most 1000 items, not 1001/],
  ['misspelt scenes', { scene: [{}] }, 'scene', /^unknown property 'scene'; did you mean 'scenes'\?$/],
  ['a string for width', movie({ width: '1920' }), 'width', /^width must be an integer from 16 to 8192, not the string "1920"\.$/],
  ['null for width', movie({ width: null }), 'width', /^width must be an integer from 16 to 8192, not null\.$/],
  ['a fraction for width', movie({ width: 100.5 }), 'width', /must be an integer from 16 to 8192, not 100\.5/],
  ['a small width', movie({ width: 15 }), 'width', /from 16 to 8192, not 15/],
  ['a large height', movie({ height: 8193 }), 'height', /from 16 to 8192, not 8193/],
  ['no frames', movie({ fps: 0 }), 'fps', /^fps must be a number from 1 to 120, not 0\.$/],
  ['too many frames', movie({ fps: 121 }), 'fps', /from 1 to 120, not 121/],
  ['a string for fps', movie({ fps: '30' }), 'fps', /not the string "30"/],
  ['an unknown quality', movie({ quality: 'best' }), 'quality', /^quality must be one of "low", "medium", "high", not "best"\.$/],
  ['an unknown codec', movie({ codec: 'vp8' }), 'codec', /^codec must be one of "h264", "hevc", "av1", not "vp8"/],
  [
    'a picture too small for its codec',
    movie({ codec: 'av1', width: 62, height: 90 }),
    'codec',
    /^codec must be "h264" or "hevc" for a video of 62×90 pixels: av1 needs at least 64×64\.$/,
  ],
  ['a misspelt quality', movie({ quality: 'hihg' }), 'quality', /not "hihg"; did you mean "high"\?$/],
  ['an unknown preset', movie({ resolution: '4k' }), 'resolution', /one of "sd", "hd", "full-hd".*not "4k"/],
  ['an unknown property', movie({ backgroundMusic: 'x' }), 'backgroundMusic', /^unknown property 'backgroundMusic' of a movie script/],
  ['a misspelt property', movie({ widht: 100 }), 'widht', /^unknown property 'widht'; did you mean 'width'\?$/],
  [
    'a webhook of another scheme',
    movie({ webhook_uri: 'ftp://example.com' }),
    'webhook_uri',
    /^webhook_uri must be an http or https URL, not "ftp:\/\/example\.com"\.$/,
  ],
  ['a webhook that is no URL', movie({ webhook_uri: 'http://' }), 'webhook_uri', /^webhook_uri is refused: it must be an http or https URL\.$/],
  ['exports of another type', movie({ exports: { type: 's3' } }), 'exports', /^exports must be an array, not an object\.$/],
  ['an export of another type', movie({ exports: ['s3'] }), 'exports.0', /^exports\.0 must be an object, not the string "s3"\.$/],
  ['settings of an editor that hold something', movie({ settings: { a: 1 } }), 'settings', /^settings must be an empty object, not 1 property\.$/],
  [
    'a template',
    movie({ template: 'x' }),
    'template',
    /^unknown property 'template' of a movie script; a saved template is rendered by POST \/api\/render\/template with/,
  ],
  // Scenes.
  ['a scene that is none', { scenes: [{}, 5] }, 'scenes.1', /^scenes\.1 must be an object, not 5\.$/],
  ['a scene of no length', scene({ duration: 0 }), 'scenes.1.duration', /^duration must be greater than 0, or -1 or "auto", not 0\.$/],
  ['a scene of negative length', scene({ duration: -2 }), 'scenes.1.duration', /not -2|number from -1/],
  ['a long scene', scene({ duration: 14401 }), 'scenes.1.duration', /from -1 to 14400/],
  ['a word for duration', scene({ duration: 'long' }), 'scenes.1.duration', /^duration must be a number, or "auto", not "long"\.$/],
  ['scenes that last too long together', { scenes: [{ duration: 14400 }, { duration: 1 }] }, 'scenes.1', /^The movie must not last more than 14400 seconds\.$/],
  ['a colour of the wrong form', scene({ background: '#12345' }), 'scenes.1.background', /^background must be a colour \(#rgb, .*\), not "#12345"\.$/],
  [
    'a blur in CSS',
    text({ settings: { filter: 'blur(1000px)' } }),
    `${IN_TEXT}.settings.filter`,
    /^filter may blur by up to 500 pixels; not "blur\(1000px\)"\.$/,
  ],
  ['an unknown colour', scene({ 'background-color': 'blurple' }), 'scenes.1.background-color', /^background-color must be a colour/],
  ['a number for a colour', scene({ background: 0 }), 'scenes.1.background', /^background must be a string, not 0\.$/],
  ['elements of another type', scene({ elements: {} }), 'scenes.1.elements', /^elements must be an array, not an object\.$/],
  [
    'too many elements',
    scene({ elements: Array.from({ length: 501 }, () => ({ type: 'text', text: '' })) }),
    'scenes.1.elements',
    /at most 500 items, not 501/,
  ],
  ['a misspelt scene property', scene({ backgroud: '#fff' }), 'scenes.1.backgroud', /did you mean 'background'\?$/],
  ['a condition of a wrong type', scene({ condition: 7 }), 'scenes.1.condition', /^condition must be a boolean or a text such as .*, not 7\.$/],
  [
    'a transition that is a word',
    scene({ transition: 'fade' }),
    'scenes.1.transition',
    /^transition must be an object, not the string "fade"; write \{"style": "fade", "duration": 1\}\.$/,
  ],
  ['an unknown transition', scene({ transition: { style: 'fad' } }), 'scenes.1.transition.style', /must be one of .* not "fad"; did you mean "fade"\?$/],
  [
    'a misspelt transition by type',
    scene({ transition: { type: 'circle-opn' } }),
    'scenes.1.transition.type',
    /^type must be one of "fade", "fadeblack", .*"revealdown", .*not "circle-opn"; did you mean "circleopen"\?$/,
  ],
  [
    'an unknown direction',
    scene({ transition: { style: 'slide', direction: 'north' } }),
    'scenes.1.transition.direction',
    /^direction must be one of "left", "right", "up", "down", not "north"\.$/,
  ],
  [
    'a direction that means nothing',
    scene({ transition: { style: 'circleopen', direction: 'up' } }),
    'scenes.1.transition.direction',
    /^The transition "circleopen" takes no direction; wipe, slide, smooth, cover, reveal, push, whip-pan, page-curl, light-leak do\.$/,
  ],
  [
    'a luma transition without an image',
    scene({ transition: { style: 'luma' } }),
    'scenes.1.transition.src',
    /^src is required for the transition "luma": the URL of a grey image\.$/,
  ],
  [
    'a luma image that is no URL',
    scene({ transition: { style: 'luma', src: 'wipe.png' } }),
    'scenes.1.transition.src',
    /^src is refused: it must be an http or https URL\.$/,
  ],
  [
    'a softness that is too large',
    scene({ transition: { style: 'luma', src: 'https://example.com/w.png', softness: 2 } }),
    'scenes.1.transition.softness',
    /from 0 to 1, not 2/,
  ],
  [
    'a softness of another transition',
    scene({ transition: { style: 'fade', softness: 0.5 } }),
    'scenes.1.transition.softness',
    /^softness is only allowed for the transition "luma", not "fade"\.$/,
  ],
  ['a long transition', scene({ transition: { style: 'fade', duration: 61 } }), 'scenes.1.transition.duration', /from 0 to 60, not 61/],
  ['a long transition in a string', scene({ transition: { style: 'fade', duration: '61' } }), 'scenes.1.transition.duration', /from 0 to 60, not "61"/],
  [
    'too many elements in all',
    { scenes: Array.from({ length: 21 }, () => ({ elements: Array.from({ length: 500 }, () => ({ type: 'text', text: '' })) })) },
    'scenes.20.elements',
    /^The scenes must not have more than 10000 elements together\.$/,
  ],
  // Elements.
  ['an element that is none', scene({ elements: ['text'] }), 'scenes.1.elements.0', /^elements\.0 must be an object, not the string "text"\.$/],
  [
    'an element without type',
    scene({ elements: [{ text: 'x' }] }),
    'scenes.1.elements.0.type',
    /^an element needs the property 'type': "text", "image", "lottie", "video", "audio", "voice", "html", "component", "audiogram", "subtitles", "group"\.$/,
  ],
  [
    'an unknown type',
    scene({ elements: [{ type: 'picture' }] }),
    'scenes.1.elements.0.type',
    /^type must be one of "text", .*"group", not "picture"; write "image"\.$/,
  ],
  [
    'the type template',
    scene({ elements: [{ type: 'template' }] }),
    'scenes.1.elements.0.type',
    /not "template"; saved templates are rendered by POST \/api\/render\/template\.$/,
  ],
  ['a voice without text', scene({ elements: [{ type: 'voice' }] }), `${IN_FIRST}.text`, /^a voice needs the property 'text'\.$/],
  ['a page without page', scene({ elements: [{ type: 'html' }] }), `${IN_FIRST}.html`, /needs the property 'html' with a page or snippet, or 'src'/],
  ['a component without name', scene({ elements: [{ type: 'component' }] }), `${IN_FIRST}.component`, /^a component needs the property 'component'\.$/],
  [
    'captions that are neither',
    scene({ elements: [{ type: 'subtitles', captions: 'hello' }] }),
    `${IN_FIRST}.captions`,
    /^captions must be SRT, WebVTT or ASS, or a URL/,
  ],
  [
    'a stranger to subtitles',
    scene({ elements: [{ type: 'subtitles', settings: { 'vertical-align': 'top' } }] }),
    `${IN_FIRST}.settings.vertical-align`,
    /^unknown property 'vertical-align'/,
  ],
  ['a type that is no string', scene({ elements: [{ type: 7 }] }), 'scenes.1.elements.0.type', /not 7/],
  ['a text without text', scene({ elements: [{ type: 'text' }] }), 'scenes.1.elements.0.text', /^a text needs the property 'text'\.$/],
  [
    'a text with misspelt text',
    scene({ elements: [{ type: 'text', txt: 'x' }] }),
    'scenes.1.elements.0.txt',
    /^unknown property 'txt'; did you mean 'text'\?$/,
  ],
  ['a number for text', text({ text: 5 }), `${IN_TEXT}.text`, /^text must be a string, not 5\.$/],
  ['a very long text', text({ text: 'x'.repeat(10_001) }), `${IN_TEXT}.text`, /^text must be at most 10000 characters long, not 10001\.$/],
  ['an unknown text style', text({ style: '099' }), `${IN_TEXT}.style`, /^style must be one of "001", "002", .*, "011", not "099"/],
  ['a margin of no form', text({ settings: { margin: '1 2 x' } }), `${IN_TEXT}.settings.margin`, /^margin must be one to four lengths, like .*; not "1 2 x"/],
  [
    'a lang that is no tag',
    text({ lang: 'german_language' }),
    `${IN_TEXT}.lang`,
    /^lang must be the BCP 47 tag of a language, like "de" or "pt-BR"; not "german_language"/,
  ],
  [
    'an unknown text-wrap',
    text({ text_wrap: 'blance' }),
    `${IN_TEXT}.text_wrap`,
    /^text_wrap must be one of "wrap", "balance", "pretty", "nowrap", "stable", not "blance"/,
  ],
  [
    'an unknown word-break',
    text({ 'word-break': 'never' }),
    `${IN_TEXT}.word-break`,
    /^word-break must be one of "normal", "break-word", "break-all", "keep-all", not/,
  ],
  ['a block width of nothing', text({ settings: { width: 0 } }), `${IN_TEXT}.settings.width`, /^width must be a number above 0/],
  ['fontsize', text({ fontsize: 5 }), `${IN_TEXT}.fontsize`, /^unknown property 'fontsize'; did you mean 'font-size'\?$/],
  ['font_siz', text({ font_siz: 5 }), `${IN_TEXT}.font_siz`, /did you mean 'font_size'\?$/],
  ['fontColor', text({ fontColor: 'red' }), `${IN_TEXT}.fontColor`, /did you mean 'font-color'\?$/],
  [
    'a font size of no form',
    text({ font_size: 'big' }),
    `${IN_TEXT}.font_size`,
    /^font_size must be a number \(pixels\) or a length like .*, or "auto", not "big"\.$/,
  ],
  ['a font size of nothing', text({ 'font-size': 0 }), `${IN_TEXT}.font-size`, /^font-size must be a number above 0 and up to 8192 or a string, not 0\.$/],
  ['a font size of nothing, in vw', text({ settings: { 'font-size': '0vw' } }), `${IN_TEXT}.settings.font-size`, /above 0 and up to 8192 pixels, not "0vw"/],
  ['a colour of no form', text({ color: '#ggg' }), `${IN_TEXT}.color`, /^color must be a colour/],
  ['a colour of no form in settings', text({ settings: { color: 'rgb(1,2)' } }), `${IN_TEXT}.settings.color`, /^color must be a colour/],
  ['a misspelt setting', text({ settings: { 'font-famly': 'Inter' } }), `${IN_TEXT}.settings.font-famly`, /did you mean 'font-family'\?$/],
  [
    'an unknown weight',
    text({ font_weight: 'heavy' }),
    `${IN_TEXT}.font_weight`,
    /^font_weight must be a number from 1 to 1000, "normal" or "bold", not "heavy"; from thin to black they are 100 to 900\.$/,
  ],
  ['a weight out of range', text({ font_weight: '9999' }), `${IN_TEXT}.font_weight`, /1 to 1000/],
  ['a font without a name', text({ font: ' , ' }), `${IN_TEXT}.font`, /must name a font family/],
  ['an unknown alignment', text({ text_align: 'middle' }), `${IN_TEXT}.text_align`, /^text_align must be one of "left", "center"/],
  ['an unknown decoration', text({ text_decoration: 'blink' }), `${IN_TEXT}.text_decoration`, /^text_decoration must be none, or made of underline/],
  ['an unknown shadow', text({ text_shadow: '2px red blue' }), `${IN_TEXT}.text_shadow`, /^text_shadow must be none, or up to 16 shadows like/],
  [
    'an unknown outline',
    text({ settings: { 'text-stroke': 'thick' } }),
    `${IN_TEXT}.settings.text-stroke`,
    /^text-stroke must be none, or a width and a colour/,
  ],
  ['a padding of five sides', text({ padding: '1px 2px 3px 4px 5px' }), `${IN_TEXT}.padding`, /^padding must be one to four lengths/],
  ['a line height of no form', text({ line_height: 'tall' }), `${IN_TEXT}.line_height`, /^line_height must be a multiple of the font size/],
  ['an unknown position', text({ position: 'middle' }), `${IN_TEXT}.position`, /^position must be one of "custom", "center"/],
  ['an opacity above 1', text({ opacity: 1.5 }), `${IN_TEXT}.opacity`, /^opacity must be a number from 0 to 1, not 1\.5\.$/],
  ['a string for opacity', text({ opacity: '0.5' }), `${IN_TEXT}.opacity`, /not the string "0\.5"/],
  ['an image without src', scene({ elements: [{ type: 'image' }] }), 'scenes.1.elements.0.src', /^an image needs the property 'src'\.$/],
  ['an empty src', image({ src: '' }), `${IN_IMAGE}.src`, /^src must not be empty\.$/],
  ['a src that is no URL', image({ src: 'photo.png' }), `${IN_IMAGE}.src`, /^src is refused: it must be an http or https URL\.$/],
  ['a file URL', image({ src: 'file:///etc/passwd' }), `${IN_IMAGE}.src`, /it must be an http or https URL/],
  ['a prompt of another type', image({ prompt: 5 }), `${IN_IMAGE}.prompt`, /^prompt must be a string, not 5\.$/],
  ['a volume on an image', image({ volume: 1 }), `${IN_IMAGE}.volume`, /^unknown property 'volume' of an image/],
  ['a mask that is no address', image({ mask: 'ftp://example.com/m.png' }), `${IN_IMAGE}.mask`, /^mask is refused/],
  [
    'a chroma key of a text without a color',
    scene({ elements: [{ type: 'text', text: 'a', chroma_key: {} }] }),
    'scenes.1.elements.0.chroma_key.color',
    /^a chroma key of an element of type text needs the property 'color'\.$/,
  ],
  ['softness out of range', image({ chroma_key: { softness: 2 } }), `${IN_IMAGE}.chroma_key.softness`, /from 0 to 1, not 2/],
  ['choke out of range', image({ chroma_key: { choke: -1 } }), `${IN_IMAGE}.chroma_key.choke`, /from 0 to 1, not -1/],
  ['an unknown view of a chroma key', image({ chroma_key: { view: 'alpha' } }), `${IN_IMAGE}.chroma_key.view`, /result.*matte.*spill/],
  ['a tolerance out of range', image({ 'chroma-key': { color: 'green', tolerance: 0 } }), `${IN_IMAGE}.chroma-key.tolerance`, /from 1 to 100, not 0/],
  ['motion blur out of range', image({ 'motion-blur': 1.5 }), `${IN_IMAGE}.motion-blur`, /from 0 to 1, not 1\.5/],
  ['a word for motion blur', image({ motion_blur: 'strong' }), `${IN_IMAGE}.motion_blur`, /not "strong"/],
  ['motion blur of a movie out of range', movie({ motion_blur: -1 }), 'motion_blur', /from 0 to 1, not -1/],
  ['sharpening out of range', image({ sharpen: 2 }), `${IN_IMAGE}.sharpen`, /from 0 to 1, not 2/],
  ['a shadow with an unknown property', image({ drop_shadow: { spread: 4 } }), `${IN_IMAGE}.drop_shadow.spread`, /unknown property/],
  ['a shadow with a negative blur', image({ drop_shadow: [{ blur: -1 }] }), `${IN_IMAGE}.drop_shadow.0.blur`, /0/],
  ['five shadows', image({ drop_shadow: [{}, {}, {}, {}, {}] }), `${IN_IMAGE}.drop_shadow`, /4/],
  ['a shadow that is a number', image({ drop_shadow: 5 }), `${IN_IMAGE}.drop_shadow`, /boolean|true/],
  ['a colour of a shadow that is none', image({ drop_shadow: { color: 'blurple' } }), `${IN_IMAGE}.drop_shadow.color`, /blurple/],
  ['a viewer in the canvas', image({ rotate_y: 5, perspective: 0 }), `${IN_IMAGE}.perspective`, /1/],
  ['a rotation that is a word', image({ rotate_x: 'left' }), `${IN_IMAGE}.rotate_x`, /number/],
  [
    'three corners',
    image({
      corners: [
        [0, 0],
        [9, 0],
        [9, 9],
      ],
    }),
    `${IN_IMAGE}.corners`,
    /4/,
  ],
  [
    'corners that cross',
    image({
      corners: [
        [0, 0],
        [90, 90],
        [90, 0],
        [0, 90],
      ],
    }),
    `${IN_IMAGE}.corners`,
    /convex/,
  ],
  [
    'corners on a line',
    image({
      corners: [
        [0, 0],
        [50, 50],
        [90, 90],
        [0, 90],
      ],
    }),
    `${IN_IMAGE}.corners`,
    /convex/,
  ],
  [
    'corners and a rotation',
    image({
      rotate_y: 5,
      corners: [
        [0, 0],
        [90, 0],
        [90, 90],
        [0, 90],
      ],
    }),
    `${IN_IMAGE}.rotate_y`,
    /corners/,
  ],
  ['an unknown anchor', image({ anchor: 'middle' }), `${IN_IMAGE}.anchor`, /"top-left"/],
  ['an anchor far away', image({ anchor: { x: 11 } }), `${IN_IMAGE}.anchor.x`, /from -10 to 10/],
  ['grain out of range', image({ grain: -0.5 }), `${IN_IMAGE}.grain`, /from 0 to 1, not -0\.5/],
  ['a vignette out of range', image({ vignette: 1.5 }), `${IN_IMAGE}.vignette`, /from 0 to 1/],
  ['a vignette of an unknown extent', image({ vignette: { radius: 0.5 } }), `${IN_IMAGE}.vignette.radius`, /unknown property/],
  ['a softness out of range', image({ vignette: { softness: 7 } }), `${IN_IMAGE}.vignette.softness`, /from 0 to 1, not 7/],
  ['a LUT that is no address', image({ lut: { src: 'ftp://example.com/a.cube' } }), `${IN_IMAGE}.lut.src`, /^src is refused/],
  ['a LUT without src', image({ lut: { amount: 1 } }), `${IN_IMAGE}.lut.src`, /needs the property 'src'/],
  ['an amount out of range', image({ lut: { src: 'https://example.com/a.cube', amount: 2 } }), `${IN_IMAGE}.lut.amount`, /from 0 to 1, not 2/],
  ['a temperature out of range', image({ white_balance: { temperature: 101 } }), `${IN_IMAGE}.white_balance.temperature`, /from -100 to 100/],
  [
    'more different grades than fit',
    {
      scenes: [
        {
          elements: Array.from({ length: 202 }, (_, i) => ({ type: 'text', text: 'Hi', white_balance: { tint: (Math.floor(i / 2) + 1) / 2 } })),
        },
      ],
    },
    'scenes.0.elements.200',
    /^The elements must not have more than 100 different grades \(white_balance, curves, lut\) together\.$/,
  ],
  ['a curve of one point', image({ curves: { red: [[0, 0]] } }), `${IN_IMAGE}.curves.red`, /2/],
  [
    'a curve out of order',
    image({
      curves: {
        red: [
          [0.5, 0],
          [0.5, 1],
        ],
      },
    }),
    `${IN_IMAGE}.curves.red.1`,
    /greater than that of the point before it/,
  ],
  ['an unknown blend mode', image({ blend_mode: 'multiplied' }), `${IN_IMAGE}.blend_mode`, /did you mean "multiply"\?$/],
  [
    'keyframes out of order',
    image({
      keyframes: [
        { time: 1, x: 0 },
        { time: 1, x: 5 },
      ],
    }),
    `${IN_IMAGE}.keyframes.1.time`,
    /later than that of the previous keyframe/,
  ],
  ['a skew of 90 degrees', image({ skew_x: 90 }), `${IN_IMAGE}.skew_x`, /from -85 to 85, not 90/],
  ['a ceiling above full scale', audio({ limiter: { ceiling: 1 } }), 'scenes.0.elements.0.limiter.ceiling', /from -40 to 0, not 1/],
  ['a keyframe without time', image({ keyframes: [{ x: 0 }] }), `${IN_IMAGE}.keyframes.0.time`, /needs the property 'time'/],
  ['a keyframe past the end', image({ keyframes: [{ time: '101%', x: 0 }] }), `${IN_IMAGE}.keyframes.0.time`, /percentage from 0% to 100%/],
  ['an unknown easing', image({ keyframes: [{ time: 0, x: 0, easing: 'bounce' }] }), `${IN_IMAGE}.keyframes.0.easing`, /^easing must be one of "linear"/],
  ['a zoom out of range', image({ zoom: 11 }), `${IN_IMAGE}.zoom`, /^zoom must be a number from -10 to 10, not 11\.$/],
  ['a zoom out of range in a string', image({ zoom: '11' }), `${IN_IMAGE}.zoom`, /^zoom must be a number from -10 to 10, not "11"\.$/],
  ['a zoom that is an object', image({ zoom: { start: 1, end: 2 } }), `${IN_IMAGE}.zoom`, /not an object/],
  ['an unknown pan', image({ pan: 'up' }), `${IN_IMAGE}.pan`, /^pan must be one of "left"/],
  ['a z-index that is no integer', image({ 'z-index': 1.5 }), `${IN_IMAGE}.z-index`, /^z-index must be an integer from -99 to 99/],
  ['a z-index out of range in a string', image({ z_index: '100' }), `${IN_IMAGE}.z_index`, /from -99 to 99/],
  ['an x of no form', image({ x: 'left' }), `${IN_IMAGE}.x`, /^x must be a number \(pixels\) or a length/],
  ['a negative width', image({ width: -5 }), `${IN_IMAGE}.width`, /from -1 to 32768/],
  ['a scale with more', image({ scale: { width: 5, depth: 5 } }), `${IN_IMAGE}.scale.depth`, /^unknown property 'depth'/],
  ['a crop without height', image({ crop: { width: 5 } }), `${IN_IMAGE}.crop.height`, /^a crop needs the property 'height'\.$/],
  ['a crop of nothing', image({ crop: { width: 0, height: 5 } }), `${IN_IMAGE}.crop.width`, /^width must be a number above 0 and up to 32768, not 0\.$/],
  ['a crop of null', image({ crop: { width: null, height: 5 } }), `${IN_IMAGE}.crop.width`, /^width must be a number, not null\.$/],
  ['a rotation that is a number', image({ rotate: 90 }), `${IN_IMAGE}.rotate`, /^rotate must be an object, not 90; write \{"angle": 15\}\.$/],
  ['a rotation out of range', image({ rotate: { angle: 361 } }), `${IN_IMAGE}.rotate.angle`, /from -360 to 360/],
  ['a start before the scene', image({ start: -0.5 }), `${IN_IMAGE}.start`, /^start must be 0 or more, or -1, not -0\.5\.$/],
  ['a start before the scene in a string', image({ start: '-0.5' }), `${IN_IMAGE}.start`, /^start must be 0 or more, or -1, not -0\.5\.$/],
  ['a duration of nothing', image({ duration: 0 }), `${IN_IMAGE}.duration`, /^duration must be greater than 0, or -1 or -2, not 0\.$/],
  ['a duration of nothing in a string', image({ duration: '0' }), `${IN_IMAGE}.duration`, /^duration must be greater than 0, or -1 or -2, not 0\.$/],
  ['a duration of -1.5', image({ duration: -1.5 }), `${IN_IMAGE}.duration`, /greater than 0, or -1 or -2/],
  [
    'a duration in words',
    image({ duration: '5s' }),
    `${IN_IMAGE}.duration`,
    /^duration must be a number from -2 to 14400, not "5s"; write the seconds as a number\.$/,
  ],
  ['a fade before the start', image({ 'fade-in': -1 }), `${IN_IMAGE}.fade-in`, /from 0 to 3600/],
  ['fadein', image({ fadein: 1 }), `${IN_IMAGE}.fadein`, /did you mean 'fade-in'\?$/],
  ['a loud video', video({ volume: 11 }), 'elements.0.volume', /^volume must be a number from 0 to 10, not 11\.$/],
  ['a word for muted', video({ muted: 'yes' }), 'elements.0.muted', /^muted must be a boolean, not the string "yes"\.$/],
  ['a fraction of a loop', video({ loop: 1.5 }), 'elements.0.loop', /^loop must be an integer from -1 to 10000 or a boolean, not 1\.5\.$/],
  ['a loop below -1', video({ loop: -2 }), 'elements.0.loop', /from -1 to 10000/],
  ['a position of sound', audio({ position: 'center' }), `${IN_TEXT}.position`, /^unknown property 'position' of an audio/],
  [
    'a movie element that outlives the limit',
    movie({ elements: [{ type: 'text', text: 'x', start: 14_000, duration: 401 }] }),
    'elements',
    /must not last more than 14400 seconds/,
  ],
];

describe('a script is refused, naming the field and what is allowed', () => {
  test.each(cases)('%s', (_what, script, path, message) => {
    const error = failureOf(script);
    expect({ code: error.code, status: error.status, path: error.path }).toEqual({ code: 'SCHEMA_VALIDATION_ERROR', status: 400, path });
    expect(error.message).toMatch(message);
    expect(error.message).not.toMatch(/oneOf|anyOf|schema|undefined|NaN|pattern/);
  });

  test('nested deeper than anybody could store', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    expect(failureOf({ scenes: [{}], 'client-data': deep }).message).toMatch(/nested more than 64 levels/);
    const circle: Record<string, unknown> = { scenes: [{}] };
    circle['client-data'] = circle;
    expect(failureOf(circle).path).toBe('');
  });

  test('inherited properties are not the script’s', () => {
    const inherits = Object.create({ scenes: [{}] });
    expect(failureOf(inherits).path).toBe('scenes');
    expect(failureOf({ scenes: [{ elements: [{ type: 'constructor' }] }] }).path).toBe('scenes.0.elements.0.type');
    expect(failureOf({ scenes: [{}], constructor: 1 }).path).toBe('constructor');
  });
});

describe('the URL policy', () => {
  const checkUrl = (url: string): string | undefined => (url.includes('10.0.0.1') ? '10.0.0.1 is not a public address' : undefined);

  test.each<[script: unknown, path: string]>([
    [image({ src: 'http://10.0.0.1/a.png' }), `${IN_IMAGE}.src`],
    [video({ src: 'http://10.0.0.1/a.mp4' }), 'elements.0.src'],
    [audio({ src: 'http://10.0.0.1/a.mp3' }), `${IN_TEXT}.src`],
    [movie({ webhook_uri: 'http://10.0.0.1/hook' }), 'webhook_uri'],
  ])('refuses with the path, case %#', (script, path) => {
    const error = failureOf(script, { checkUrl });
    expect(error.path).toBe(path);
    expect(error.message).toBe(`${path.split('.').at(-1)} is refused: 10.0.0.1 is not a public address.`);
  });

  test('decides alone what a source may be, but a webhook is always a web address', () => {
    const anything = { checkUrl: () => undefined };
    expect(() => parseMovie(image({ src: 'media/a.png' }), anything)).not.toThrow();
    expect(failureOf(movie({ webhook_uri: 'hook' }), anything).path).toBe('webhook_uri');
  });
});

test('every pattern of the schema has a wording', () => {
  const patterns = new Set<string>();
  JSON.stringify(movieSchema, (key, value) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    // Exports are worded where they are read.
    return /^export[A-Z]\w+$/.test(key) ? undefined : value;
  });
  // numbers, also with "auto", integers, weights, moments, names and web addresses; a new form needs words in src/script/validation/schema-errors.ts.
  // The eighth, of easing functions, only selects a branch.
  expect(patterns.size).toBe(8);
});
