#pragma once

#include <optional>
#include <string_view>

#include "core/blend_mode.h"
#include "core/geometry.h"
#include "timeline/curve.h"

// What a clip has beyond its place and time.
namespace framewright {

struct MediaRange {
  double in = 0;              // seconds
  std::optional<double> out;  // seconds; absent: the media's end
  int loops = 1;              // passes; -1 without end
};

// Names as in schema/timeline.schema.json, e.g. "color-dodge".
std::optional<BlendMode> blendModeFromName(std::string_view name);

// As ffmpeg's filter eq.
struct Correction {
  double brightness = 0, contrast = 1, gamma = 1, saturation = 1;
  bool operator==(const Correction&) const = default;
};

struct ChromaKey {
  Color color;
  double tolerance = 1;  // 1: that colour alone … 100: all
  bool operator==(const ChromaKey&) const = default;
};

// Its luma multiplies the clip's alpha.
struct ClipMask {
  int id = 0;  // from the same count as Clip::id
  int source = 0;
  MediaRange media;
  Rect region{0, 0, 1, 1};  // part of the mask that lies on the box, in fractions; may reach beyond it
};

// Fractions of the box that are hidden from each side.
struct Reveal {
  Curve left, top, right, bottom;
};

// In the order in which they are done.
struct ClipEffects {
  std::optional<Correction> correction;
  std::optional<ChromaKey> chromaKey;
  double cornerRadius = 0;  // canvas pixels at scale 1
  std::optional<ClipMask> mask;
  Curve blur;  // sigma in canvas pixels
  std::optional<Reveal> reveal;
  BlendMode blend = BlendMode::kNormal;
};

// The sound of the movie drawn into the box.
struct Waveform {
  Color color;
  double amplitude = 1;
};

}  // namespace framewright
