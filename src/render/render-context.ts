import type { Engine, InteropBackend } from '../engine/index.js';
import type { PackCatalogue } from '../graphics/components/index.js';
import type { HtmlSprites, TextSpriteDrawer } from '../graphics/index.js';
import type { Generator } from '../providers/generation/index.js';
import type { SpeechSynthesizer } from '../providers/speech/index.js';
import type { Recogniser } from '../providers/transcription/index.js';
import type { ProviderPricing } from '../script/index.js';
import type { FileCache } from '../storage/cache/index.js';
import type { EncoderName } from '../timeline/index.js';
import type { Assets } from './assets/index.js';
import type { EncoderSelection } from './encode/encoder-selection.js';
import type { CheckResolved } from './plan/check-webhook.js';

/** Dependencies and settings of a render; the caller owns them. */
export interface RenderContext {
  engine: Engine;
  assets: Assets;
  sprites: TextSpriteDrawer;
  /** Installed component packs. */
  packs: PackCatalogue;
  /** Opens a browser that draws pages into a folder. Absent: a movie with html elements fails. */
  openHtml?: (folder: string) => HtmlSprites;
  /** Absent: a movie with voices fails. */
  voices?: Pick<SpeechSynthesizer, 'prepare'>;
  /** Generates images and videos from prompts. Absent: a movie with prompts is rejected. */
  generator?: Generator;
  /** Prices of provider services. Absent: they are free. */
  pricing?: ProviderPricing;
  /** Transcribes speech for subtitles. Absent: no transcription. */
  recogniser?: Recogniser;
  /** Sandbox of the programs that read untrusted files. Default: `auto`. */
  sandboxMode?: 'auto' | 'required' | 'off';
  /** Compositor backend. Default: the fastest one available. */
  compositor?: 'auto' | 'cpu' | 'vulkan';
  /** Zero-copy path from the GPU compositor to the GPU encoder. Default: `auto`. */
  interop?: 'auto' | 'copy' | 'off';
  /** Hardware decoding of video clips. Default: `auto`. */
  hardwareDecode?: 'auto' | 'off' | 'on';
  /** Whether unmodified clips may be stream-copied. Default: true. */
  copies?: boolean;
  checkUrl: (url: string) => string | undefined;
  /** Absent: software encoders only. */
  encoders?: EncoderSelection;
  /** Delays between attempts to open a busy hardware encoder. Default: one minute in total. */
  sessionRetryDelaysMs?: readonly number[];
  /** Called when the software encoder replaces a hardware encoder during a render. */
  onFallback?: (fallback: EncoderFallback) => void;
  /** Called when the CPU compositor replaces a failed GPU; `detail` is the driver's message. */
  onDeviceFailure?: (detail: string) => void;
  /** Called per segment with the interop path from GPU to encoder, and why a faster path was not used. */
  onFrameTransfer?: (backend: InteropBackend | 'host', reason: string | undefined) => void;
  /** Called per clip with the decoder used on a host with a GPU decoder, and why not the GPU decoder. */
  onDecode?: (backend: 'nvdec' | 'vaapi' | 'software', reason: string | undefined) => void;
  /** Called when an encoder opens and when it closes. */
  onEncoder?: (encoder: EncoderName, open: boolean) => void;
  /** Encoded segments of earlier renders. Absent: every segment is rendered. */
  packetCache?: FileCache;
  /** Called for every segment and for the audio with the cache result. */
  onSegmentCache?: (event: SegmentCacheEvent) => void;
  /** Checks the resolved address of the webhook. Absent: no webhook is sent. */
  checkResolved?: CheckResolved;
}

/** Cache result of one segment or of the audio. */
export interface SegmentCacheEvent {
  part: 'picture' | 'sound';
  result: 'hit' | 'miss';
  /** Bytes read from the cache or stored in it. */
  bytes: number;
}

/** A hardware encoder that was replaced during a render, and why. */
export interface EncoderFallback {
  from: EncoderName;
  to: EncoderName;
  /** `busy`: no session became free in time; `unavailable`: it could not be opened; `failed`: it failed during the render; `mixed`: its segments have different headers. */
  reason: 'busy' | 'unavailable' | 'failed' | 'mixed';
  /** The library's or driver's message. */
  detail: string;
}
