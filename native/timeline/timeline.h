#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/canvas_color.h"
#include "core/compressor_settings.h"
#include "core/deinterlace.h"
#include "core/equalizer_band.h"
#include "core/geometry.h"
#include "core/hardware_decode.h"
#include "core/limiter_settings.h"
#include "core/mastering_display.h"
#include "core/result.h"
#include "core/reverb_settings.h"
#include "timeline/color_curve.h"
#include "timeline/curve.h"
#include "timeline/effects.h"

// The resolved program of one movie, as described by schema/timeline.schema.json. Immutable after parsing, so
// threads may share it.
namespace framewright {

// kLuma: the grey image of a luma wipe.
enum class SourceKind { kImage, kSprite, kVideo, kAudio, kSequence, kAnimation, kColorTable, kLuma };

// A media file.
struct Source {
  SourceKind kind = SourceKind::kImage;
  std::string path;
  std::string label;  // names the element in messages to the client
  Deinterlace deinterlace = Deinterlace::kAuto;
};

// Motion of one part of an element, such as a letter, applied before the clip's own motion.
struct PieceMotion {
  double anchorX = 0.5, anchorY = 0.5;  // fractions of the clip's box
  Curve x, y, scaleX{1, {}}, scaleY{1, {}}, rotation;
};

// The drawn part of a source, in fractions of its size.
struct CropCurves {
  Curve x, y, width{1, {}}, height{1, {}};

  // Not empty.
  Rect at(double frame) const;
  // The smallest size over the clip.
  Rect smallest() const;
};

// A source, fill, waveform or group on the canvas, with its time, place and motion.
struct Clip {
  int id = 0;       // unique among clips and masks, assigned while parsing
  int source = -1;  // index into Timeline::sources; -1: other content
  ColorCurve fill;
  std::optional<Waveform> waveform;
  std::vector<Clip> clips;  // of a group: they move with it, and its opacity and effects are of all together
  int64_t start = 0;        // frames from the start of its group, section or movie
  int64_t frames = 0;
  Rect box;  // canvas pixels
  CropCurves crop;
  std::optional<Rect> window;                // canvas pixels; `clip` in JSON
  Curve anchorX{0.5, {}}, anchorY{0.5, {}};  // fractions of the box
  Curve x, y, scale{1, {}}, rotation, opacity{1, {}};
  Curve skewX, skewY;  // degrees by which vertical and horizontal lines lean
  std::optional<PieceMotion> piece;
  int64_t fadeIn = 0, fadeOut = 0;
  bool flipX = false, flipY = false;
  MediaRange media;
  ClipEffects effects;
};

// A transition from the previous section.
struct Transition {
  std::string style;  // name of a TransitionStyle
  int64_t frames = 0;
  int luma = -1;  // index of a source of kind kLuma; -1: none
  LumaWipe wipe;
  std::optional<Curve> progress = std::nullopt;  // 0..1 over the section's frames; missing: linear
};

// One scene of the movie.
struct Section {
  std::string label;
  int64_t start = 0;
  int64_t frames = 0;
  Color background;
  std::vector<Clip> clips;
  std::optional<Transition> transition;
  bool hasNextTransition = false;        // a transition from it is in another timeline; `goesOn` in JSON
  int64_t previousTransitionFrames = 0;  // of a transition to it in another timeline; `ledUntil` in JSON
};

// A filter of an equalizer that changes over the clip.
struct EqualizerBandCurves {
  EqualizerBand::Type type = EqualizerBand::Type::kPeak;
  Curve frequency, gain, q;  // as in EqualizerBand

  EqualizerBand at(double frame) const { return {type, frequency.at(frame), gain.at(frame), q.at(frame)}; }
};

// A source's audio at a time of the movie.
struct AudioClip {
  int source = 0;
  int64_t start = 0;  // frames from the movie's start
  int64_t frames = 0;
  Curve gain{1, {}};
  int64_t fadeIn = 0, fadeOut = 0;
  MediaRange media;
  Curve balance;       // -1: left, 1: right
  Curve pitch;         // semitones
  double denoise = 0;  // dB by which noise alone is lowered
  std::vector<EqualizerBandCurves> equalizer;
  std::optional<CompressorSettings> compressor;
  std::optional<ReverbSettings> reverb;
  Curve reverbWet;  // instead of ReverbSettings::wet
  std::optional<LimiterSettings> limiter;
};

// Output encoding settings.
struct EncodeSettings {
  std::string encoder = "libx264";
  std::string preset = "veryfast";
  std::optional<std::string> footagePreset;  // of segments in which a video may be visible; unset: `preset`
  double crf = 20;
  std::optional<int> variant;  // configuration of a hardware encoder; unset: the first that opens
  double keyframeSeconds = 5;
  double stillKeyframeSeconds = 10;  // while the image does not change; 0: encode every frame
  bool copy = false;                 // packets of unmodified source videos may be copied
  bool copyColors = false;           // and give their colours to the movie, of which this is all
  int audioBitrate = 192000;
  std::optional<double> loudness;  // LUFS; missing: the mix's own level
  int bitDepth = 8;                // 8 or 10 bits a sample; frames of 10 bits are composed in high precision
  CanvasColor color;               // with 10 bits
};

// kAuto: a graphics device that can compose, otherwise the CPU.
enum class CompositorChoice { kAuto, kCpu, kVulkan };

// Whether frames stay on the graphics device that draws them. kAuto: if a probe shows that they arrive
// unchanged. kCopy: encoders get copies that are made on the device.
enum class InteropMode { kAuto, kOff, kCopy };

// Visual clips from back to front: `under`, the current section's clips, `over`.
struct Timeline {
  int width = 0;
  int height = 0;
  Rational fps{30, 1};
  int64_t frames = 0;
  std::vector<Source> sources;
  std::vector<Clip> under;
  std::vector<Section> sections;
  std::vector<Clip> over;
  std::vector<AudioClip> audio;
  EncodeSettings encode;
  MasteringDisplay mastering;  // of PQ files
  CompositorChoice compositor = CompositorChoice::kAuto;
  HardwareDecode hardwareDecode = HardwareDecode::kAuto;
  bool isDithered = false;  // blends are dithered, so that gradients stay smooth; `dither` in JSON
  InteropMode interop = InteropMode::kAuto;  // `handover` in JSON
};

// Calls `visit` with each clip and those in groups, and its first frame, counted like that of the clips.
template <class Visit>
void forEachClip(const std::vector<Clip>& clips, const Visit& visit, int64_t start = 0) {
  for (const Clip& clip : clips) {
    visit(clip, start + clip.start);
    forEachClip(clip.clips, visit, start + clip.start);
  }
}

// Parses a timeline and checks the rules of schema/timeline.schema.json and its references. Fails with
// INVALID_TIMELINE, which names the JSON path. Accepts hostile input. Any thread.
Result<Timeline> parseTimeline(std::string_view json);

inline constexpr int kSampleRate = 48000;

// The sample at which a frame starts. All audio positions derive from it, so that audio and video stay in
// sync.
int64_t sampleAtFrame(const Timeline& timeline, int64_t frame);

}  // namespace framewright
