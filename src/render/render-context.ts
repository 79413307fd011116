import type { Engine } from '../engine/index.js';
import type { PackCatalogue } from '../graphics/components/index.js';
import type { HtmlSprites, TextSpriteDrawer } from '../graphics/index.js';
import type { Generator } from '../providers/generation/index.js';
import type { SpeechSynthesizer } from '../providers/speech/index.js';
import type { Recogniser } from '../providers/transcription/index.js';
import type { FileCache } from '../storage/cache/index.js';
import type { EncoderName } from '../timeline/index.js';
import type { Assets } from './assets/index.js';
import type { EncoderSelection } from './encode/encoder-selection.js';
import type { SegmentCacheEvent } from './encode/reuse-seen.js';
import type { CheckResolved } from './plan/check-webhook.js';

/** What a render stands on; made once per process. */
export interface RenderContext {
  engine: Engine;
  assets: Assets;
  sprites: TextSpriteDrawer;
  /** The installed components. */
  packs: PackCatalogue;
  /** Pages are drawn into a folder. Absent: a movie with html elements fails. */
  openHtml?: (folder: string) => HtmlSprites;
  /** Absent: a movie with voices fails. */
  voices?: Pick<SpeechSynthesizer, 'synthesize'>;
  /** Has pictures and films made from prompts. Absent: a movie that wants some is refused. */
  generator?: Generator;
  /** Writes down speech for subtitles. Absent: nothing here can. */
  recogniser?: Recogniser;
  /** Of the processes that look at single files of strangers. Absent: `auto`. */
  sandboxMode?: 'auto' | 'required' | 'off';
  /** What draws. Absent: what the engine finds best. */
  compositor?: 'auto' | 'cpu' | 'vulkan';
  /** Whether frames may stay on a graphics card on their way to its encoder. Absent: `auto`. */
  handover?: 'auto' | 'off';
  /** Whether films may be decoded by a graphics card. Absent: `auto`. */
  hardwareDecode?: 'auto' | 'off' | 'on';
  /** Whether films that a movie shows as they are may be taken as they are coded. Absent: they may. */
  copies?: boolean;
  checkUrl: (url: string) => string | undefined;
  /** Absent: the processor's encoders. */
  encoders?: EncoderSelection;
  /** How long to wait for a session of busy hardware, between one attempt and the next. Default: a minute in all. */
  sessionRetryDelaysMs?: readonly number[];
  /** Told when the processor takes over from hardware in the middle of a render. */
  onFallback?: (fallback: EncoderFallback) => void;
  /** Told when the processor draws in place of a graphics device that failed, and how that put it. */
  onDeviceFailure?: (detail: string) => void;
  /** Told by which way a segment's frames came from a graphics device to its encoder, and why not by a better one. */
  onFrameTransfer?: (way: 'cuda' | 'vaapi' | 'host', reason: string | undefined) => void;
  /** Told by what a film was decoded on a host that has a card for it, and why not by the card. */
  onDecode?: (way: 'nvdec' | 'vaapi' | 'software', reason: string | undefined) => void;
  /** Told when an encoder is opened and when it is closed. */
  onEncoder?: (encoder: EncoderName, open: boolean) => void;
  /** Encoded packets of earlier renders. Absent: everything is rendered. */
  packetCache?: FileCache;
  /** Told of every segment, and of the sound, whether it was there already. */
  onSegmentCache?: (seen: SegmentCacheEvent) => void;
  /** For the webhook. Absent: none will be sent. */
  checkResolved?: CheckResolved;
}

export interface EncoderFallback {
  from: EncoderName;
  to: EncoderName;
  /** All sessions in use for too long, not to be opened, or broken in the middle. */
  reason: 'busy' | 'unavailable' | 'failed';
  /** In the words of the library or driver. */
  detail: string;
}
