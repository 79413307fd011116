#include "timeline/draw_list.h"

#include <algorithm>
#include <cmath>

#include "timeline/clip_placement.h"
#include "timeline/layer_area.h"

namespace framewright {
namespace {

constexpr double kMinOpacity = 1.0 / 1024;  // less changes no 8-bit value

// The gain at the frame's start: a one-second fade-in is at 0.5 exactly after half a second.
double fadeGain(int64_t fadeIn, int64_t fadeOut, int64_t frames, int64_t frame) {
  const double in = fadeIn > 0 ? static_cast<double>(frame) / static_cast<double>(fadeIn) : 1;
  const double out = fadeOut > 0 ? static_cast<double>(frames - frame) / static_cast<double>(fadeOut) : 1;
  return std::min(in, 1.0) * std::min(out, 1.0);
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

// A number without an evident relation to `value`.
uint32_t mixedBits(uint32_t value) {
  value = (value ^ value >> 16) * 0x7feb352du;
  value = (value ^ value >> 15) * 0x846ca68bu;
  return value ^ value >> 16;
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
    if (to.transition->luma >= 0) layer.image = imageIndex(to.transition->luma, -1, {}, 0, true);
    layer.wipe = to.transition->wipe;
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
    addClips(list.layers, clips, frame, {}, canvas());
  }

  // `outer`: pixels of the clips' container -> drawn pixels, of which those in `area` are visible.
  void addClips(std::vector<Layer>& layers, const std::vector<Clip>& clips, int64_t frame,
                const Affine& outer, const Rect& area) {
    for (const Clip& clip : clips) {
      const int64_t local = frame - clip.start;
      if (local >= 0 && local < clip.frames) addClip(layers, clip, local, outer, area);
    }
  }

  void addClip(std::vector<Layer>& layers, const Clip& clip, int64_t local, const Affine& outer,
               const Rect& area) {
    const auto frame = static_cast<double>(local);
    Layer layer;
    layer.opacity = clip.opacity.at(frame) * fadeGain(clip.fadeIn, clip.fadeOut, clip.frames, local);
    if (layer.opacity < kMinOpacity) return;
    const Space space = spaceOf(clip, frame, outer);
    Exposure exposure = exposureOf(clip, frame, space.outer);
    layer.toCanvas = contentPlacement(clip, exposure.box);
    // A scale of 0 makes a line, whose transform has no inverse.
    if (std::abs(determinant(layer.toCanvas)) < kMinArea) return;
    layer.effects = effectsAt(clip, std::move(exposure), space, frame);
    placeWindow(layer, clip, space.outer);
    if (!clip.clips.empty()) {
      addGroup(layers, clip, std::move(layer), local, area);
      return;
    }
    layer.crop = clip.crop.at(frame);
    if (!visible(layer, area)) return;
    if (clip.waveform) {
      layer.kind = Layer::Kind::kWaveform;
      layer.fill = clip.waveform->color.at(frame);
      layer.waveform = clip.waveform->style;
      if (layer.fill.a == 0) return;
      layer.bars = waveformBars(timeline_, clip.waveform->style, clip.waveform->amplitude.at(frame), clip.box,
                                frame_, levels_);
    } else if (clip.source < 0) {
      layer.fill = clip.fill.at(frame);
      if (layer.fill.a == 0) return;
    } else {
      layer.kind = Layer::Kind::kImage;
      layer.image = imageIndex(clip.source, clip.id, clip.media, local);
    }
    addEffectImages(layer, clip, local);
    layers.push_back(std::move(layer));
  }

  // `layer` has the placement, the effects and the opacity of the group.
  void addGroup(std::vector<Layer>& layers, const Clip& clip, Layer layer, int64_t local, const Rect& area) {
    std::vector<Layer> members;
    const Rect seen = layer.effects ? casterArea(*layer.effects, layer.toCanvas, area) : area;
    addClips(members, clip.clips, local, layer.toCanvas * inverse(unitSquareTo(clip.box)), seen);
    if (members.empty()) return;
    if (!layer.effects && (layer.opacity == 1 || members.size() == 1)) {
      for (Layer& member : members) {
        member.opacity *= layer.opacity;
        if (layer.window)
          member.window = member.window ? intersection(*member.window, *layer.window) : layer.window;
        layers.push_back(std::move(member));
      }
      return;
    }
    if (!layer.effects) layer.effects = LayerEffects{.box = layer.toCanvas};
    layer.kind = Layer::Kind::kGroup;
    Rect drawn = areaOf(members.front());
    for (const Layer& member : members) drawn = bounding(drawn, areaOf(member));
    layer.toCanvas = unitSquareTo(drawn);
    for (Layer& member : members) {
      // There is no frame yet with which it could blend.
      if (member.effects) member.effects->blend = BlendMode::kNormal;
    }
    layer.group = std::move(members);
    if (!visible(layer, area)) return;
    addEffectImages(layer, clip, local);
    layers.push_back(std::move(layer));
  }

  void addEffectImages(Layer& layer, const Clip& clip, int64_t local) {
    if (!layer.effects) return;
    placeFinish(*layer.effects, clip.id, local);
    if (clip.effects.grade) layer.effects->grade = gradeIndex(*clip.effects.grade, local);
    if (clip.effects.mask) {
      const ClipMask& mask = *clip.effects.mask;
      layer.effects->mask = imageIndex(mask.source, mask.id, mask.media, local, true);
      layer.effects->maskBox = layer.effects->box * fromRegion(mask.region);
    }
  }

  // The window where the layer is drawn. A shadow falls outside the window of its layer, whose content is
  // cut before then, as it is where the window is no rectangle of pixels.
  static void placeWindow(Layer& layer, const Clip& clip, const Affine& outer) {
    if (!clip.window) return;
    const Affine window = outer * unitSquareTo(*clip.window);
    const bool reachesOut = layer.effects && (layer.effects->projection || !layer.effects->shadows.empty());
    if (window.isAxisAligned() && !reachesOut) {
      layer.window = boundsOf(window);
      return;
    }
    if (!layer.effects) {
      layer.effects =
          LayerEffects{.box = layer.toCanvas, .boxWidth = clip.box.width, .boxHeight = clip.box.height};
    }
    layer.effects->cut = window;
  }

  Rect canvas() const {
    return {0, 0, static_cast<double>(timeline_.width), static_cast<double>(timeline_.height)};
  }

  void placeFinish(LayerEffects& effects, int clip, int64_t local) const {
    // What fills the canvas keeps its vignette there while it zooms and pans.
    if (effects.finish.vignette) {
      const bool fillsCanvas = effects.box.isAxisAligned() && contains(boundsOf(effects.box), canvas());
      effects.vignetteBox = fillsCanvas ? scaling(timeline_.width, timeline_.height) : effects.box;
    }
    if (effects.finish.grain > 0) {
      constexpr int kUsualSide = 1080;  // for which a grain is one pixel
      const int side = std::min(timeline_.width, timeline_.height);
      effects.grainSize = std::clamp((side + kUsualSide / 2) / kUsualSide, 1, kMaxGrainSize);
      effects.grainSeed = mixedBits(static_cast<uint32_t>(clip) * 0x9e3779b1u + static_cast<uint32_t>(local));
    }
  }

  // Whether a part of the layer may be in `area`.
  static bool visible(const Layer& layer, const Rect& area) {
    const Rect drawn = areaOf(layer);
    if (!overlaps(drawn, area)) return false;
    if (layer.effects && (layer.effects->revealed.width <= 0 || layer.effects->revealed.height <= 0))
      return false;
    return !layer.window || (overlaps(drawn, *layer.window) && overlaps(area, *layer.window));
  }

  // `id`: of the clip or mask that plays the source.
  int imageIndex(int source, int id, const MediaRange& media, int64_t local, bool isMask = false) {
    ImageRef ref;
    ref.source = source;
    ref.isMask = isMask;
    if (isPlayed(timeline_.sources[source].kind)) {
      ref.clip = id;
      const double seconds = static_cast<double>(local) * static_cast<double>(timeline_.fps.den) /
                             static_cast<double>(timeline_.fps.num);
      ref.mediaTime = std::llround((media.in + media.speed.mediaAt(seconds)) * 1e6);
      if (media.blendsFrames) ref.mediaStep = mediaStepAt(media, local);
    }
    return indexOf(ref);
  }

  int indexOf(const ImageRef& ref) {
    const auto known = std::find(images_.begin(), images_.end(), ref);
    if (known != images_.end()) return static_cast<int>(known - images_.begin());
    images_.push_back(ref);
    return static_cast<int>(images_.size()) - 1;
  }

  int gradeIndex(const GradeCurve& grade, int64_t local) {
    const auto last = static_cast<double>(grade.sources.size() - 1);
    const double position = std::clamp(grade.position.at(static_cast<double>(local)), 0.0, last);
    const auto first = static_cast<size_t>(position);
    ImageRef ref;
    ref.source = grade.sources[first];
    ref.mixShare = static_cast<int>(std::lround((position - std::floor(position)) * kMaxMixShare));
    if (ref.mixShare > 0) ref.mixedWith = grade.sources[first + 1];
    return indexOf(ref);
  }

  // Microseconds of the media until the next frame.
  int64_t mediaStepAt(const MediaRange& media, int64_t local) const {
    const double frame = static_cast<double>(timeline_.fps.den) / static_cast<double>(timeline_.fps.num);
    const double seconds = static_cast<double>(local) * frame;
    return std::llround((media.speed.mediaAt(seconds + frame) - media.speed.mediaAt(seconds)) * 1e6);
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

bool Layer::operator==(const Layer& other) const {
  return kind == other.kind && fill == other.fill && image == other.image && crop == other.crop &&
         toCanvas == other.toCanvas && bars == other.bars && waveform == other.waveform &&
         window == other.window && opacity == other.opacity && effects == other.effects &&
         style == other.style && progress == other.progress && wipe == other.wipe &&
         sameList(from, other.from) && sameList(to, other.to) && group == other.group;
}

DrawList drawListAt(const Timeline& timeline, int64_t frame, MixLevels* levels) {
  return Builder(timeline, frame, levels).build();
}

}  // namespace framewright
