#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/geometry.h"
#include "core/hardware_decode.h"
#include "core/result.h"
#include "timeline/curve.h"
#include "timeline/effects.h"

// The fully resolved program of one movie, as schema/timeline.schema.json has it. Read-only once parsed,
// so it may be shared between threads.
namespace framewright {

enum class SourceKind { kImage, kSprite, kVideo, kAudio, kSequence, kAnimation };

struct Source {
  SourceKind kind = SourceKind::kImage;
  std::string path;
  std::string label;  // names the element in messages
};

// Motion of one part of an element (a letter, a rule) within it, before the motion of the clip itself.
struct PieceMotion {
  double anchorX = 0.5, anchorY = 0.5;  // fractions of the clip's box
  Curve x, y, scaleX{1, {}}, scaleY{1, {}}, rotation;
};

struct Clip {
  int id = 0;       // position among all clips of the timeline, assigned while parsing
  int source = -1;  // index into Timeline::sources; -1: a fill or a waveform
  Color fill;
  std::optional<Waveform> waveform;
  int64_t start = 0;  // frames from the start of what holds the clip
  int64_t frames = 0;
  Rect box;                    // canvas pixels
  Rect crop{0, 0, 1, 1};       // fractions of the source
  std::optional<Rect> window;  // canvas pixels; `clip` in JSON
  double anchorX = 0.5, anchorY = 0.5;
  Curve x, y, scale{1, {}}, rotation, opacity{1, {}};
  std::optional<PieceMotion> piece;
  int64_t fadeIn = 0, fadeOut = 0;
  bool flipX = false, flipY = false;
  MediaRange media;
  ClipEffects effects;
};

struct Transition {
  std::string style;
  int64_t frames = 0;
};

struct Section {
  std::string label;
  int64_t start = 0;
  int64_t frames = 0;
  Color background;
  std::vector<Clip> clips;
  std::optional<Transition> transition;
  bool goesOn = false;   // a transition from it follows, in another document
  int64_t ledUntil = 0;  // frames of a transition to it, in another document
};

struct AudioClip {
  int source = 0;
  int64_t start = 0;  // frames from the movie's start
  int64_t frames = 0;
  Curve gain{1, {}};
  int64_t fadeIn = 0, fadeOut = 0;
  MediaRange media;
};

struct EncodeSettings {
  std::string encoder = "libx264";
  std::string preset = "veryfast";
  double crf = 20;
  double keyframeSeconds = 5;
  double stillKeyframeSeconds = 10;  // while the image stays; 0: stills are encoded frame by frame
  bool copy = false;  // images of films that are shown as they are may be taken as they are coded
  int audioBitrate = 192000;
  std::optional<double> loudness;  // LUFS
};

// What draws. kAuto: a graphics device where there is one that can compose, the CPU otherwise.
enum class CompositorChoice { kAuto, kCpu, kVulkan };

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
  CompositorChoice compositor = CompositorChoice::kAuto;
  HardwareDecode hardwareDecode = HardwareDecode::kAuto;
  bool handsOver = true;  // frames may stay on the graphics device on their way to the encoder
};

// Checks everything that schema/timeline.schema.json says and the cross references between its parts.
// Fails with INVALID_TIMELINE naming the place. Never throws, whatever the bytes.
Result<Timeline> parseTimeline(std::string_view json);

// The 48 kHz sample at which a frame starts. All audio positions come from here, so that sound and
// image share one clock.
int64_t sampleAtFrame(const Timeline& timeline, int64_t frame);
inline constexpr int kSampleRate = 48000;

}  // namespace framewright
