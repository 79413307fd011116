#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/geometry.h"
#include "timeline/effects.h"
#include "timeline/timeline.h"
#include "timeline/waveform.h"

namespace framewright {

// An image that a DrawList needs: a still source, or the frame of a video clip at a media time.
struct ImageRef {
  int source = 0;
  int clip = -1;          // Clip::id or ClipMask::id for what plays, which is decoded for each; -1 for
                          // stills, shared by all clips
  int64_t mediaTime = 0;  // microseconds from the start of the media; 0 for stills. Unwrapped: a video's
                          // length is only known to its decoder, so `loop` is applied there
  bool operator==(const ImageRef&) const = default;
};

struct DrawList;

// Sigmas within which a blur reaches; beyond, no 8-bit value changes.
inline constexpr double kBlurReach = 3;

// What happens to a layer's image before it lies on those below, in this order. A layer has them only when
// they change something.
struct LayerEffects {
  std::optional<Correction> correction;
  std::optional<ChromaKey> chromaKey;
  double cornerRadius = 0;    // of the box, canvas pixels at scale 1
  int mask = -1;              // index into DrawList::images of the outermost list
  Affine maskBox;             // unit square that the mask fills -> canvas pixels
  double blur = 0;            // sigma in canvas pixels
  Rect revealed{0, 0, 1, 1};  // part of the box; a side that lies on the box's own cuts nothing
  BlendMode blend = BlendMode::kNormal;
  Affine box;                          // unit square of the clip's box -> canvas pixels; never flipped
  double boxWidth = 0, boxHeight = 0;  // at scale 1

  bool operator==(const LayerEffects&) const = default;
};

// One clip's contribution to one frame.
struct Layer {
  enum class Kind { kFill, kImage, kWaveform, kTransition };
  Kind kind = Kind::kFill;

  Color fill;                  // kFill, kWaveform
  int image = -1;            // kImage: index into DrawList::images of the outermost list
  Rect crop{0, 0, 1, 1};       // kImage: drawn part of the image, fractions of its size
  Affine toCanvas;             // unit square of the crop (or fill) -> canvas pixels
  std::vector<uint16_t> bars;  // kWaveform: see timeline/waveform.h
  std::optional<Rect> window;  // canvas pixels
  double opacity = 1;
  std::optional<LayerEffects> effects;

  std::string style;    // kTransition: xfade name
  double progress = 0;  // kTransition: 0 = all `from`, towards 1 = all `to`
  std::shared_ptr<const DrawList> from, to;

  bool operator==(const Layer& other) const;
};

// Back-to-front layers of one frame, over black. Equal lists make equal frames.
struct DrawList {
  std::vector<Layer> layers;
  std::vector<ImageRef> images;  // filled in the outermost list only

  bool operator==(const DrawList&) const = default;
};

// What is drawn at a frame of the timeline, 0 <= frame < timeline.frames. Pure; any thread.
// Layers that cannot be seen (no opacity, outside the canvas) are left out. Waveforms ask `levels` and are
// still lines without.
DrawList drawListAt(const Timeline& timeline, int64_t frame, MixLevels* levels = nullptr);

// The largest factor by which each source is ever magnified, canvas pixels across its full width and
// height; stills are prepared for that size. Pixels, 0 where a source is never drawn.
struct DrawnSize {
  double width = 0;
  double height = 0;
};
std::vector<DrawnSize> largestDrawnSizes(const Timeline& timeline);

}  // namespace framewright
