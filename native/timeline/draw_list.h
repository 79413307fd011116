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

// An image of a DrawList: a still source, or the frame of a video clip at a media time.
struct ImageRef {
  int source = 0;
  int clip = -1;          // Clip::id or ClipMask::id of a playing source, decoded once per clip; -1: a still
  int64_t mediaTime = 0;  // microseconds from the start of the media, 0 for stills; the decoder, which knows
                          // the media's length, applies MediaRange::loops
  int64_t mediaStep = 0;  // microseconds to the next frame's media time if MediaRange::blendsFrames is set
  int mixedWith = -1;     // of a color table: another one, mixed into it
  int mixShare = 0;       // of the other one, in kMaxMixShare
  bool isMask = false;    // its luma hides a layer, or decides the order of a luma wipe
  bool operator==(const ImageRef&) const = default;
};
inline constexpr int kMaxMixShare = 4096;

struct DrawList;

inline constexpr int kMaxGrainSize = 4;
// The most copies of LayerEffects::motion.
inline constexpr int kMaxMotionCopies = 64;
// Radius of a blur in sigmas; farther away no 8-bit value changes.
inline constexpr double kBlurReach = 3;

// Effects on a layer before it is blended, in this order. A layer has them only when they change a pixel.
struct LayerEffects {
  std::optional<Correction> correction;
  std::optional<ChromaKey> chromaKey;
  int grade = -1;  // color table, index into DrawList::images of the outermost list
  Finish finish;
  Affine vignetteBox;         // unit square of the vignette -> canvas pixels
  int grainSize = 1;          // in pixels, 1 to kMaxGrainSize
  uint32_t grainSeed = 0;     // differs between frames
  double cornerRadius = 0;    // of the box, in canvas pixels at scale 1
  int mask = -1;              // index into DrawList::images of the outermost list
  Affine maskBox;             // unit square of the mask image -> canvas pixels
  double blur = 0;            // sigma in canvas pixels
  Rect revealed{0, 0, 1, 1};  // visible part of the box; sides at 0 and 1 cut nothing
  // Hides all outside: unit square -> canvas pixels. Replaces Layer::window where effects reach beyond it.
  std::optional<Affine> cut;
  // Motion blur: the result is the mean of copies that are moved so, canvas pixels -> canvas pixels.
  std::vector<Affine> motion;
  // Maps the layer, whose geometry is that before it, to the canvas. What follows is on the canvas again.
  std::optional<Homography> projection;
  std::vector<DropShadow> shadows;
  BlendMode blend = BlendMode::kNormal;
  Affine box;                          // unit square of the clip's box -> canvas pixels; never flipped
  double boxWidth = 0, boxHeight = 0;  // at scale 1

  bool operator==(const LayerEffects&) const = default;
};

// The area of a shape within `area` and its shadows, and the area whose content may colour `area`.
Rect withShadows(const std::vector<DropShadow>& shadows, const Rect& area);
Rect castersOf(const std::vector<DropShadow>& shadows, const Rect& area);
// How far LayerEffects::motion moves a point of `drawn` at most, in canvas pixels.
double motionReach(const LayerEffects& effects, const Rect& drawn);
// How far away at most a point is that LayerEffects::motion moves into `area`.
double motionReachInto(const LayerEffects& effects, const Rect& area);

// One clip's contribution to one frame. A group has effects.
struct Layer {
  enum class Kind { kFill, kImage, kWaveform, kTransition, kGroup };
  Kind kind = Kind::kFill;

  Color fill;             // kFill, kWaveform
  int image = -1;         // kImage, and the grey image of a luma wipe: index into DrawList::images of the
                          // outermost list
  Rect crop{0, 0, 1, 1};  // kImage: drawn part of the image, fractions of its size
  Affine toCanvas;        // unit square of the crop, fill or area of the group -> canvas pixels
  std::vector<uint16_t> bars;  // kWaveform: see timeline/waveform.h
  WaveformStyle waveform = WaveformStyle::kBars;
  std::optional<Rect> window;  // canvas pixels
  double opacity = 1;
  std::optional<LayerEffects> effects;

  std::string style;    // kTransition: name of a TransitionStyle
  double progress = 0;  // kTransition: 0 = all `from`, towards 1 = all `to`
  LumaWipe wipe;        // kTransition
  std::shared_ptr<const DrawList> from, to;
  std::vector<Layer> group;  // kGroup: drawn together, then with the effects and the opacity of the group

  bool operator==(const Layer& other) const;
};

// Back-to-front layers of one frame, over black. Equal lists make equal frames.
struct DrawList {
  std::vector<Layer> layers;
  std::vector<ImageRef> images;  // filled in the outermost list only
  bool isDithered = false;       // whether blends are dithered; set in the outermost list only

  bool operator==(const DrawList&) const = default;
};

// The layers of a frame, 0 <= frame < timeline.frames, without invisible ones (transparent or outside the
// canvas). Waveforms read `levels` and are flat lines without it. Pure; any thread.
DrawList drawListAt(const Timeline& timeline, int64_t frame, MixLevels* levels = nullptr);

// The size at which a whole source is drawn, in canvas pixels; 0 when it is never drawn.
struct DrawnSize {
  double width = 0;
  double height = 0;
};
// The largest drawn size of each source over the whole timeline, for which stills are prepared.
std::vector<DrawnSize> largestDrawnSizes(const Timeline& timeline);

}  // namespace framewright
