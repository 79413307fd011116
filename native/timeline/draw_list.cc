#include "timeline/draw_list.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace framewright {
namespace {

constexpr double kMinOpacity = 1.0 / 1024;  // less changes no 8-bit value
constexpr double kMinArea = 1e-6;           // square pixels
constexpr double kMinBlur = 0.05;           // pixels
constexpr double kMinTravel = 1;            // pixels below which motion blur is invisible
constexpr double kCopyDistance = 1.25;      // pixels between the copies that make a motion blur

// The gain at the frame's start: a one-second fade-in is at 0.5 exactly after half a second.
double fadeGain(int64_t fadeIn, int64_t fadeOut, int64_t frames, int64_t frame) {
  const double in = fadeIn > 0 ? static_cast<double>(frame) / static_cast<double>(fadeIn) : 1;
  const double out = fadeOut > 0 ? static_cast<double>(frames - frame) / static_cast<double>(fadeOut) : 1;
  return std::min(in, 1.0) * std::min(out, 1.0);
}

// The motion within the element. Easings that overshoot below 0 must not mirror it.
Affine pieceMotion(const PieceMotion& piece, const Rect& box, double frame) {
  const double anchorX = box.x + box.width * piece.anchorX;
  const double anchorY = box.y + box.height * piece.anchorY;
  return translation(anchorX + piece.x.at(frame), anchorY + piece.y.at(frame)) *
         rotationDegrees(piece.rotation.at(frame)) *
         scaling(std::max(0.0, piece.scaleX.at(frame)), std::max(0.0, piece.scaleY.at(frame))) *
         translation(-anchorX, -anchorY);
}

// Unit square of the box -> canvas.
Affine boxPlacement(const Clip& clip, double frame) {
  const double anchorX = clip.box.x + clip.box.width * clip.anchorX;
  const double anchorY = clip.box.y + clip.box.height * clip.anchorY;
  const double scale = clip.scale.at(frame);
  Affine placement{clip.box.width, 0, clip.box.x, 0, clip.box.height, clip.box.y};
  if (clip.piece) placement = pieceMotion(*clip.piece, clip.box, frame) * placement;
  return translation(anchorX + clip.x.at(frame), anchorY + clip.y.at(frame)) *
         rotationDegrees(clip.rotation.at(frame)) * scaling(scale, scale) * translation(-anchorX, -anchorY) *
         placement;
}

double determinant(const Affine& m) { return m.xx * m.yy - m.xy * m.yx; }

double distanceTo(const Affine& a, const Affine& b, double x, double y) {
  return std::hypot((a.xx - b.xx) * x + (a.xy - b.xy) * y + a.dx - b.dx,
                    (a.yx - b.yx) * x + (a.yy - b.yy) * y + a.dy - b.dy);
}

// The longest path of a corner of the box while the shutter is open, in pixels. The end is left out: a jump
// there is no motion.
double travelOf(const Clip& clip, double frame) {
  constexpr int kSteps = 8;
  std::array<double, 4> paths{};
  const auto placedAt = [&](int step) {
    return boxPlacement(clip, frame + clip.effects.motionBlur * (step + 0.5) / kSteps);
  };
  Affine last = placedAt(0);
  for (int i = 1; i < kSteps; ++i) {
    const Affine next = placedAt(i);
    for (size_t corner = 0; corner < paths.size(); ++corner) {
      paths[corner] +=
          distanceTo(next, last, static_cast<double>(corner & 1), static_cast<double>(corner >> 1));
    }
    last = next;
  }
  return *std::max_element(paths.begin(), paths.end()) * kSteps / (kSteps - 1);
}

// Where a clip is drawn while the shutter is open, and the copies of it that make its motion blur.
struct Exposure {
  Affine box;
  std::vector<Affine> copies;  // none if it moves too little
};

Exposure exposureOf(const Clip& clip, double frame) {
  const double shutter = clip.effects.motionBlur;
  const double travel = shutter > 0 ? travelOf(clip, frame) : 0;
  const Affine middle = boxPlacement(clip, frame + shutter / 2);
  if (travel < kMinTravel || std::abs(determinant(middle)) < kMinArea) return {boxPlacement(clip, frame), {}};
  const int count = std::clamp(static_cast<int>(std::ceil(travel / kCopyDistance)), 2, kMaxMotionCopies);
  Exposure exposure{middle, {}};
  for (int i = 0; i < count; ++i) {
    const Affine moved = boxPlacement(clip, frame + shutter * (i + 0.5) / count);
    if (std::abs(determinant(moved)) < kMinArea) continue;
    exposure.copies.push_back(moved * inverse(middle));
  }
  return exposure;
}

// Unit square of the box's content -> canvas; differs from the box when the content is flipped.
Affine contentPlacement(const Clip& clip, const Affine& box) {
  Affine placement = box;
  if (clip.flipX) placement = placement * Affine{-1, 0, 1, 0, 1, 0};
  if (clip.flipY) placement = placement * Affine{1, 0, 0, 0, -1, 1};
  return placement;
}

// Whether the image depends on the time.
bool isPlayed(SourceKind kind) {
  return kind == SourceKind::kVideo || kind == SourceKind::kSequence || kind == SourceKind::kAnimation;
}

// Unit square of the whole mask -> unit square of the box that its region covers.
Affine fromRegion(const Rect& region) {
  return scaling(1 / region.width, 1 / region.height) * translation(-region.x, -region.y);
}

// The eased progress at a frame of the section. Compositors expect 0..1, which easings may overshoot.
double transitionProgress(const Transition& transition, int64_t local) {
  const double frame = static_cast<double>(local);
  if (!transition.progress) return frame / static_cast<double>(transition.frames);
  return std::clamp(transition.progress->at(frame), 0.0, 1.0);
}

// The caller sets the images of the grade and the mask.
std::optional<LayerEffects> effectsAt(const Clip& clip, Exposure exposure, double frame) {
  const ClipEffects& from = clip.effects;
  LayerEffects effects;
  effects.motion = std::move(exposure.copies);
  if (from.correction != Correction{}) effects.correction = from.correction;
  effects.chromaKey = from.chromaKey;
  effects.finish = from.finish;
  effects.cornerRadius = from.cornerRadius;
  const double blur = from.blur.at(frame);
  if (blur >= kMinBlur) effects.blur = blur;
  if (from.reveal) {
    const auto hidden = [&](const Curve& side) { return std::clamp(side.at(frame), 0.0, 1.0); };
    const double left = hidden(from.reveal->left), top = hidden(from.reveal->top);
    effects.revealed = {left, top, 1 - left - hidden(from.reveal->right),
                        1 - top - hidden(from.reveal->bottom)};
  }
  effects.blend = from.blend;
  if (clip.box.width > 0 && clip.box.height > 0) {
    const double scale = std::sqrt(std::abs(determinant(exposure.box)) / (clip.box.width * clip.box.height));
    for (const DropShadow& shadow : from.shadows)
      effects.shadows.push_back({shadow.color, shadow.blur * scale, shadow.x * scale, shadow.y * scale});
  }
  if (effects == LayerEffects{} && !from.mask && from.grade < 0) return std::nullopt;
  effects.box = exposure.box;
  effects.boxWidth = clip.box.width;
  effects.boxHeight = clip.box.height;
  return effects;
}

Rect expanded(const Rect& rect, double by) {
  return {rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by};
}

// The smallest rectangle around both.
Rect around(const Rect& a, const Rect& b) {
  const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

double reachOf(const DropShadow& shadow) { return std::ceil(kBlurReach * shadow.blur) + 2; }

// The area that effects may colour if the content is within `drawn`, in canvas pixels.
Rect reachedArea(const LayerEffects& effects, const Rect& drawn) {
  const Rect blurred = expanded(drawn, kBlurReach * effects.blur);
  return withShadows(effects.shadows, expanded(blurred, motionReach(effects, blurred)));
}

bool contains(const Rect& outer, const Rect& inner) {
  constexpr double kTolerance = 0.01;
  return outer.x <= inner.x + kTolerance && outer.y <= inner.y + kTolerance &&
         outer.right() >= inner.right() - kTolerance && outer.bottom() >= inner.bottom() - kTolerance;
}

// A number without an evident relation to `value`.
uint32_t mixedBits(uint32_t value) {
  value = (value ^ value >> 16) * 0x7feb352du;
  value = (value ^ value >> 15) * 0x846ca68bu;
  return value ^ value >> 16;
}

Rect bounds(const Affine& m) {
  const std::array<double, 4> xs{m.dx, m.dx + m.xx, m.dx + m.xy, m.dx + m.xx + m.xy};
  const std::array<double, 4> ys{m.dy, m.dy + m.yx, m.dy + m.yy, m.dy + m.yx + m.yy};
  const auto [left, right] = std::minmax_element(xs.begin(), xs.end());
  const auto [top, bottom] = std::minmax_element(ys.begin(), ys.end());
  return {*left, *top, *right - *left, *bottom - *top};
}

bool overlaps(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

// Builds one frame's list. Images of nested lists are collected in the outermost list.
class Builder {
 public:
  Builder(const Timeline& timeline, int64_t frame, MixLevels* levels)
      : timeline_(timeline), frame_(frame), levels_(levels) {}

  DrawList build() {
    DrawList list;
    const int64_t frame = frame_;
    const size_t index = sectionAt(frame);
    const Section& section = timeline_.sections[index];
    const int64_t local = frame - section.start;
    if (section.transition && local < section.transition->frames) {
      list.layers.push_back(transitionLayer(index, frame));
    } else {
      addSection(list, section, local, frame);
    }
    addClips(list, timeline_.over, frame);
    list.images = std::move(images_);
    list.isDithered = timeline_.isDithered;
    return list;
  }

 private:
  // After its end the last section stays current, without clips: movie elements may be longer than the
  // scenes.
  size_t sectionAt(int64_t frame) const {
    size_t index = 0;
    while (index + 1 < timeline_.sections.size() && timeline_.sections[index + 1].start <= frame) ++index;
    return index;
  }

  Layer transitionLayer(size_t index, int64_t frame) {
    const Section& from = timeline_.sections[index - 1];
    const Section& to = timeline_.sections[index];
    auto fromList = std::make_shared<DrawList>();
    auto toList = std::make_shared<DrawList>();
    addSection(*fromList, from, from.frames - 1, frame);
    addSection(*toList, to, frame - to.start, frame);
    Layer layer;
    layer.kind = Layer::Kind::kTransition;
    layer.style = to.transition->style;
    layer.progress = transitionProgress(*to.transition, frame - to.start);
    layer.from = std::move(fromList);
    layer.to = std::move(toList);
    return layer;
  }

  void addSection(DrawList& list, const Section& section, int64_t local, int64_t frame) {
    addClips(list, timeline_.under, frame);
    if (section.background.a > 0 && local < section.frames) {
      Layer background;
      background.fill = section.background;
      background.toCanvas = scaling(timeline_.width, timeline_.height);
      list.layers.push_back(background);
    }
    addClips(list, section.clips, local);
  }

  void addClips(DrawList& list, const std::vector<Clip>& clips, int64_t frame) {
    for (const Clip& clip : clips) {
      const int64_t local = frame - clip.start;
      if (local >= 0 && local < clip.frames) addClip(list, clip, local);
    }
  }

  void addClip(DrawList& list, const Clip& clip, int64_t local) {
    Layer layer;
    layer.opacity =
        clip.opacity.at(static_cast<double>(local)) * fadeGain(clip.fadeIn, clip.fadeOut, clip.frames, local);
    Exposure exposure = exposureOf(clip, static_cast<double>(local));
    layer.toCanvas = contentPlacement(clip, exposure.box);
    layer.effects = effectsAt(clip, std::move(exposure), static_cast<double>(local));
    if (layer.effects) placeFinish(*layer.effects, clip.id, local);
    placeWindow(layer, clip);
    layer.crop = clip.crop;
    if (layer.opacity < kMinOpacity || !visible(layer)) return;
    if (clip.waveform) {
      layer.kind = Layer::Kind::kWaveform;
      layer.fill = clip.waveform->color;
      if (layer.fill.a == 0) return;
      layer.bars = waveformBars(timeline_, *clip.waveform, clip.box, frame_, levels_);
    } else if (clip.source < 0) {
      layer.fill = clip.fill;
      if (clip.fill.a == 0) return;
    } else {
      layer.kind = Layer::Kind::kImage;
      layer.image = imageIndex(clip.source, clip.id, clip.media, local);
    }
    if (clip.effects.grade >= 0) layer.effects->grade = imageIndex(clip.effects.grade, clip.id, {}, local);
    if (clip.effects.mask) {
      const ClipMask& mask = *clip.effects.mask;
      layer.effects->mask = imageIndex(mask.source, mask.id, mask.media, local);
      layer.effects->maskBox = layer.effects->box * fromRegion(mask.region);
    }
    list.layers.push_back(std::move(layer));
  }

  // A shadow falls outside the window of its layer, whose content is cut first then.
  static void placeWindow(Layer& layer, const Clip& clip) {
    if (!clip.window) return;
    if (!layer.effects || layer.effects->shadows.empty()) {
      layer.window = clip.window;
      return;
    }
    const Rect& window = *clip.window;
    layer.effects->cut = Affine{window.width, 0, window.x, 0, window.height, window.y};
  }

  Rect canvas() const {
    return {0, 0, static_cast<double>(timeline_.width), static_cast<double>(timeline_.height)};
  }

  void placeFinish(LayerEffects& effects, int clip, int64_t local) const {
    // What fills the canvas keeps its vignette there while it zooms and pans.
    if (effects.finish.vignette) {
      const bool fillsCanvas = effects.box.isAxisAligned() && contains(bounds(effects.box), canvas());
      effects.vignetteBox = fillsCanvas ? scaling(timeline_.width, timeline_.height) : effects.box;
    }
    if (effects.finish.grain > 0) {
      constexpr int kUsualSide = 1080;  // for which a grain is one pixel
      const int side = std::min(timeline_.width, timeline_.height);
      effects.grainSize = std::clamp((side + kUsualSide / 2) / kUsualSide, 1, kMaxGrainSize);
      effects.grainSeed = mixedBits(static_cast<uint32_t>(clip) * 0x9e3779b1u + static_cast<uint32_t>(local));
    }
  }

  bool visible(const Layer& layer) const {
    const Rect drawn = bounds(layer.toCanvas);
    const Rect box = layer.effects ? reachedArea(*layer.effects, drawn) : drawn;
    // A scale of 0 makes a line, whose transform has no inverse.
    if (std::abs(determinant(layer.toCanvas)) < kMinArea || !overlaps(box, canvas())) return false;
    if (layer.effects && (layer.effects->revealed.width <= 0 || layer.effects->revealed.height <= 0))
      return false;
    return !layer.window || (overlaps(box, *layer.window) && overlaps(canvas(), *layer.window));
  }

  // `id`: of the clip or mask that plays the source.
  int imageIndex(int source, int id, const MediaRange& media, int64_t local) {
    ImageRef ref;
    ref.source = source;
    if (isPlayed(timeline_.sources[source].kind)) {
      ref.clip = id;
      const double seconds = static_cast<double>(local) * static_cast<double>(timeline_.fps.den) /
                             static_cast<double>(timeline_.fps.num);
      ref.mediaTime = std::llround((media.in + media.speed.mediaAt(seconds)) * 1e6);
    }
    const auto known = std::find(images_.begin(), images_.end(), ref);
    if (known != images_.end()) return static_cast<int>(known - images_.begin());
    images_.push_back(ref);
    return static_cast<int>(images_.size()) - 1;
  }

  const Timeline& timeline_;
  const int64_t frame_;
  MixLevels* const levels_;
  std::vector<ImageRef> images_;
};

bool sameList(const std::shared_ptr<const DrawList>& a, const std::shared_ptr<const DrawList>& b) {
  if (a == nullptr || b == nullptr) return a == b;
  return *a == *b;
}

}  // namespace

double motionReach(const LayerEffects& effects, const Rect& drawn) {
  double reach = 0;
  for (const Affine& moved : effects.motion) {
    for (const double x : {drawn.x, drawn.right()}) {
      for (const double y : {drawn.y, drawn.bottom()}) reach = std::max(reach, distanceTo(moved, {}, x, y));
    }
  }
  return reach;
}

Rect withShadows(const std::vector<DropShadow>& shadows, const Rect& area) {
  Rect all = area;
  for (const DropShadow& shadow : shadows)
    all = around(all,
                 expanded({area.x + shadow.x, area.y + shadow.y, area.width, area.height}, reachOf(shadow)));
  return all;
}

Rect castersOf(const std::vector<DropShadow>& shadows, const Rect& area) {
  Rect all = area;
  for (const DropShadow& shadow : shadows)
    all = around(all,
                 expanded({area.x - shadow.x, area.y - shadow.y, area.width, area.height}, reachOf(shadow)));
  return all;
}

bool Layer::operator==(const Layer& other) const {
  return kind == other.kind && fill == other.fill && image == other.image && crop == other.crop &&
         toCanvas == other.toCanvas && bars == other.bars && window == other.window &&
         opacity == other.opacity && effects == other.effects && style == other.style &&
         progress == other.progress && sameList(from, other.from) && sameList(to, other.to);
}

DrawList drawListAt(const Timeline& timeline, int64_t frame, MixLevels* levels) {
  return Builder(timeline, frame, levels).build();
}

std::vector<DrawnSize> largestDrawnSizes(const Timeline& timeline) {
  std::vector<DrawnSize> sizes(timeline.sources.size());
  const auto grow = [&](int source, double width, double height) {
    DrawnSize& size = sizes[source];
    size.width = std::max(size.width, width);
    size.height = std::max(size.height, height);
  };
  const auto add = [&](const std::vector<Clip>& clips) {
    for (const Clip& clip : clips) {
      const double scale = clip.scale.maximum();
      const double width = clip.box.width * scale * (clip.piece ? clip.piece->scaleX.maximum() : 1);
      const double height = clip.box.height * scale * (clip.piece ? clip.piece->scaleY.maximum() : 1);
      if (clip.source >= 0) grow(clip.source, width / clip.crop.width, height / clip.crop.height);
      if (clip.effects.mask) {
        const Rect& region = clip.effects.mask->region;
        grow(clip.effects.mask->source, width / region.width, height / region.height);
      }
    }
  };
  add(timeline.under);
  for (const Section& section : timeline.sections) add(section.clips);
  add(timeline.over);
  return sizes;
}

}  // namespace framewright
