#pragma once

#include <optional>
#include <vector>

#include "core/blend_mode.h"
#include "core/geometry.h"
#include "core/homography.h"
#include "timeline/color_curve.h"
#include "timeline/curve.h"
#include "timeline/speed_curve.h"

// Media ranges and effects of clips.
namespace framewright {

// The played part of a source.
struct MediaRange {
  double in = 0;              // seconds
  std::optional<double> out;  // seconds; missing: the media's end
  int loops = 1;              // number of passes; -1: endless
  SpeedCurve speed;           // over the clip's time
  bool keepsPitch = true;     // of audio at another speed
  bool isReversed = false;    // each pass plays from its end to `in`
  bool blendsFrames = false;  // of a video shown slower than its frames change: mixes adjacent frames
};

// Parameters of FFmpeg's eq filter.
struct Correction {
  double brightness = 0, contrast = 1, gamma = 1, saturation = 1;
  bool operator==(const Correction&) const = default;
};

// A correction that changes over the clip.
struct CorrectionCurves {
  Curve brightness, contrast{1, {}}, gamma{1, {}}, saturation{1, {}};

  Correction at(double frame) const {
    return {brightness.at(frame), contrast.at(frame), gamma.at(frame), saturation.at(frame)};
  }
};

// What a chroma key shows: its result, or what stays and the key's light in it as greys.
enum class KeyView { kResult, kMatte, kSpill };

// Makes a colour transparent.
struct ChromaKey {
  Color color;
  double tolerance = 1;   // 1: only this colour, 100: all colours
  double softness = 0.5;  // of edges; 0: hard, 1: wide
  double despill = 1;     // share of the key's light that is taken from what stays
  double choke = 0;       // how far edges move inwards
  KeyView view = KeyView::kResult;
  bool operator==(const ChromaKey&) const = default;
};

// A chroma key that changes over the clip.
struct ChromaKeyCurves {
  ColorCurve color;
  Curve tolerance{1, {}}, softness{0.5, {}}, despill{1, {}}, choke;
  KeyView view = KeyView::kResult;

  ChromaKey at(double frame) const {
    return {color.at(frame),   tolerance.at(frame), softness.at(frame),
            despill.at(frame), choke.at(frame),     view};
  }
};

// Color tables between which a clip is graded.
struct GradeCurve {
  std::vector<int> sources;  // of kind kColorTable
  Curve position;            // 0: the first table, 1: the second; in between their colours are mixed
};

// A source whose luma multiplies the clip's alpha.
struct ClipMask {
  int id = 0;  // unique among masks and clips
  int source = 0;
  MediaRange media;
  Rect region{0, 0, 1, 1};  // part of the mask that covers the box, in fractions of the mask; may exceed it
};

// Hidden fractions of the box, from each side.
struct Reveal {
  Curve left, top, right, bottom;
};

// Darkens towards the corners.
struct Vignette {
  double amount = 0;      // of the corners; 1: black
  double size = 0.4;      // share of the distance to the corners that stays bright
  double softness = 0.8;  // width of the change, in the same unit
  bool operator==(const Vignette&) const = default;
};

// The sharpness and shading of a lens, and grain.
struct Finish {
  double sharpen = 0;  // 0..1
  std::optional<Vignette> vignette;
  double grain = 0;  // 0..1
  bool operator==(const Finish&) const = default;
};

// A finish that changes over the clip.
struct FinishCurves {
  Curve sharpen, vignette, grain;
  Curve vignetteSize{Vignette{}.size, {}}, vignetteSoftness{Vignette{}.softness, {}};

  Finish at(double frame) const {
    const double amount = vignette.at(frame);
    const Vignette darkened{amount, vignetteSize.at(frame), vignetteSoftness.at(frame)};
    return {sharpen.at(frame), amount > 0 ? std::optional(darkened) : std::nullopt, grain.at(frame)};
  }
};

// A map of canvas pixels at a frame of a clip; in between its entries change evenly.
struct MapKeyframe {
  double frame = 0;
  Homography map;
};

// How a clip is seen in perspective: turned about axes through a point, or by a map of canvas pixels.
struct Perspective {
  double scale = 1;          // at which the clip is drawn before, so that it stays sharp where it is enlarged
  Curve x, y;                // canvas pixels; moves with the clip
  Curve distance{1000, {}};  // of the viewer from that point, canvas pixels
  Curve rotateX, rotateY;    // degrees: away at the top, and at the right
  std::vector<MapKeyframe> maps;  // instead; in ascending order
};

// Limits of effects, whose layers grow with them; also where groups enlarge their members.
inline constexpr double kMaxBlur = 500;           // sigma in canvas pixels
inline constexpr double kMaxShadowOffset = 2000;  // canvas pixels
inline constexpr double kMaxShadowIntensity = 4;

// A blurred copy of the clip's shape in one colour, behind the clip.
struct DropShadow {
  Color color;
  double blur = 0;       // sigma in canvas pixels
  double x = 0, y = 0;   // offset in canvas pixels
  double intensity = 1;  // factor of the blurred shape, which stays opaque at the most
  bool operator==(const DropShadow&) const = default;
};
// A shadow that changes over the clip.
struct DropShadowCurves {
  ColorCurve color;
  Curve blur, x, y, intensity{1, {}};

  DropShadow at(double frame) const {
    return {color.at(frame), blur.at(frame), x.at(frame), y.at(frame), intensity.at(frame)};
  }
};
inline constexpr int kMaxDropShadows = 5;  // a glow and four shadows

// A clip's effects in the order of their application, but for grain, which comes last.
struct ClipEffects {
  std::optional<CorrectionCurves> correction;
  std::optional<ChromaKeyCurves> chromaKey;
  std::optional<GradeCurve> grade;
  FinishCurves finish;
  Curve cornerRadius;  // canvas pixels at scale 1
  std::optional<ClipMask> mask;
  Curve blur;        // sigma in canvas pixels
  Curve motionBlur;  // how long the shutter is open at the start of each frame, in frames
  std::optional<Reveal> reveal;
  std::optional<Perspective> perspective;
  std::vector<DropShadowCurves> shadows;  // the first is in front
  BlendMode blend = BlendMode::kNormal;
};

// Bars about the middle of the box over two seconds around this moment, or from this moment at the middle to
// both sides; a wave; bars around a circle; bars on the bottom of the box by frequency.
enum class WaveformStyle { kBars, kMirrored, kLine, kCircle, kSpectrum };

// How the grey image of a luma wipe becomes weights.
struct LumaWipe {
  double softness = 0;      // width of the edge, as a share of the range from dark to bright
  bool isInverted = false;  // bright places change first
  bool operator==(const LumaWipe&) const = default;
};

// Draws the level of the movie's audio into the clip's box.
struct Waveform {
  ColorCurve color;
  Curve amplitude{1, {}};
  WaveformStyle style = WaveformStyle::kBars;
};

}  // namespace framewright
