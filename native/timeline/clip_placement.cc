#include "timeline/clip_placement.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "timeline/layer_area.h"

namespace framewright {
namespace {

constexpr double kMinBlur = 0.05;       // pixels
constexpr double kMinTravel = 1;        // pixels below which motion blur is invisible
constexpr double kCopyDistance = 1.25;  // pixels between the copies that make a motion blur

// The motion within the element. Easings that overshoot below 0 must not mirror it.
Affine pieceMotion(const PieceMotion& piece, const Rect& box, double frame) {
  const double anchorX = box.x + box.width * piece.anchorX;
  const double anchorY = box.y + box.height * piece.anchorY;
  return translation(anchorX + piece.x.at(frame), anchorY + piece.y.at(frame)) *
         rotationDegrees(piece.rotation.at(frame)) *
         scaling(std::max(0.0, piece.scaleX.at(frame)), std::max(0.0, piece.scaleY.at(frame))) *
         translation(-anchorX, -anchorY);
}

Affine skewing(double degreesX, double degreesY) {
  constexpr double kRadians = 3.14159265358979323846 / 180;
  const auto slope = [](double degrees) { return degrees == 0 ? 0 : std::tan(degrees * kRadians); };
  return {1, slope(degreesX), 0, slope(degreesY), 1, 0};
}

// Unit square of the box -> canvas.
Affine boxPlacement(const Clip& clip, double frame) {
  const double anchorX = clip.box.x + clip.box.width * clip.anchorX.at(frame);
  const double anchorY = clip.box.y + clip.box.height * clip.anchorY.at(frame);
  const double scale = clip.scale.at(frame);
  Affine placement = unitSquareTo(clip.box);
  if (clip.piece) placement = pieceMotion(*clip.piece, clip.box, frame) * placement;
  return translation(anchorX + clip.x.at(frame), anchorY + clip.y.at(frame)) *
         rotationDegrees(clip.rotation.at(frame)) * skewing(clip.skewX.at(frame), clip.skewY.at(frame)) *
         scaling(scale, scale) * translation(-anchorX, -anchorY) * placement;
}

// The factor of lengths, if it is the same in all directions.
double scaleOf(const Affine& m) { return std::sqrt(std::abs(determinant(m))); }

// The longest path of a corner of the box while the shutter is open, in pixels. The end is left out: a jump
// there is no motion.
double travelOf(const Clip& clip, double frame, double shutter) {
  constexpr int kSteps = 8;
  std::array<double, 4> paths{};
  const auto placedAt = [&](int step) { return boxPlacement(clip, frame + shutter * (step + 0.5) / kSteps); };
  Affine last = placedAt(0);
  for (int i = 1; i < kSteps; ++i) {
    const Affine next = placedAt(i);
    for (size_t corner = 0; corner < paths.size(); ++corner) {
      paths[corner] +=
          distanceBetween(next, last, static_cast<double>(corner & 1), static_cast<double>(corner >> 1));
    }
    last = next;
  }
  return *std::max_element(paths.begin(), paths.end()) * kSteps / (kSteps - 1);
}

Affine within(const Affine& outer, const Affine& map) { return outer * map * inverse(outer); }

// Between two maps whose points move along lines, the map moves them nearly so.
Homography mapAt(const std::vector<MapKeyframe>& maps, double frame) {
  const auto next =
      std::find_if(maps.begin(), maps.end(), [&](const auto& key) { return key.frame > frame; });
  if (next == maps.begin()) return next->map;
  if (next == maps.end()) return maps.back().map;
  const auto from = next - 1;
  const double share = (frame - from->frame) / (next->frame - from->frame);
  Homography map;
  for (size_t i = 0; i < map.m.size(); ++i)
    map.m[i] = from->map.m[i] + (next->map.m[i] - from->map.m[i]) * share;
  return map;
}

// A turn about the axes of the clip at a frame; nothing if it is seen straight on.
std::optional<Homography> perspectiveAt(const Clip& clip, double frame) {
  if (!clip.effects.perspective) return std::nullopt;
  const Perspective& perspective = *clip.effects.perspective;
  if (!perspective.maps.empty()) return mapAt(perspective.maps, frame);
  constexpr double kRadians = 3.14159265358979323846 / 180;
  const double x = perspective.rotateX.at(frame) * kRadians, y = perspective.rotateY.at(frame) * kRadians;
  if (x == 0 && y == 0) return std::nullopt;
  const double towards = 1 / std::max(1.0, perspective.distance.at(frame));
  const Homography turn{{std::cos(y), 0, 0, std::sin(x) * std::sin(y), std::cos(x), 0,
                         std::cos(x) * std::sin(y) * towards, -std::sin(x) * towards, 1}};
  const double originX = perspective.x.at(frame) + clip.x.at(frame),
               originY = perspective.y.at(frame) + clip.y.at(frame);
  return homography(translation(originX, originY)) * turn * homography(translation(-originX, -originY));
}

}  // namespace

Exposure exposureOf(const Clip& clip, double frame, const Affine& outer) {
  const double shutter = clip.effects.motionBlur.at(frame);
  const double travel = shutter > 0 ? travelOf(clip, frame, shutter) : 0;
  const Affine middle = boxPlacement(clip, frame + shutter / 2);
  if (travel < kMinTravel || std::abs(determinant(middle)) < kMinArea)
    return {outer * boxPlacement(clip, frame), {}};
  const int count = std::clamp(static_cast<int>(std::ceil(travel / kCopyDistance)), 2, kMaxMotionCopies);
  Exposure exposure{outer * middle, {}};
  for (int i = 0; i < count; ++i) {
    const Affine moved = boxPlacement(clip, frame + shutter * (i + 0.5) / count);
    if (std::abs(determinant(moved)) < kMinArea) continue;
    exposure.copies.push_back(within(outer, moved * inverse(middle)));
  }
  return exposure;
}

Affine contentPlacement(const Clip& clip, const Affine& box) {
  Affine placement = box;
  if (clip.flipX) placement = placement * Affine{-1, 0, 1, 0, 1, 0};
  if (clip.flipY) placement = placement * Affine{1, 0, 0, 0, -1, 1};
  return placement;
}

Space spaceOf(const Clip& clip, double frame, const Affine& outer) {
  const std::optional<Homography> rotated = perspectiveAt(clip, frame);
  if (!rotated) return {outer, std::nullopt, scaleOf(outer)};
  const double scale = clip.effects.perspective->scale;
  return {scaling(scale, scale), homography(outer) * *rotated * homography(scaling(1 / scale, 1 / scale)),
          scaleOf(outer)};
}

std::optional<LayerEffects> effectsAt(const Clip& clip, Exposure exposure, const Space& space, double frame) {
  const ClipEffects& from = clip.effects;
  LayerEffects effects;
  effects.motion = std::move(exposure.copies);
  if (from.correction) {
    const Correction correction = from.correction->at(frame);
    if (correction != Correction{}) effects.correction = correction;
  }
  if (from.chromaKey) effects.chromaKey = from.chromaKey->at(frame);
  effects.finish = from.finish.at(frame);
  effects.cornerRadius = from.cornerRadius.at(frame);
  const double blur = std::min(from.blur.at(frame) * scaleOf(space.outer), kMaxBlur);
  if (blur >= kMinBlur) effects.blur = blur;
  if (from.reveal) {
    const auto hidden = [&](const Curve& side) { return std::clamp(side.at(frame), 0.0, 1.0); };
    const double left = hidden(from.reveal->left), top = hidden(from.reveal->top);
    effects.revealed = {left, top, 1 - left - hidden(from.reveal->right),
                        1 - top - hidden(from.reveal->bottom)};
  }
  effects.projection = space.projection;
  effects.blend = from.blend;
  if (clip.box.width > 0 && clip.box.height > 0) {
    const double drawn = scaleOf(exposure.box) / std::sqrt(clip.box.width * clip.box.height);
    const double scale = drawn / scaleOf(space.outer) * space.scale;
    const auto offset = [&](double pixels) {
      return std::clamp(pixels * scale, -kMaxShadowOffset, kMaxShadowOffset);
    };
    for (const DropShadowCurves& curves : from.shadows) {
      const DropShadow shadow = curves.at(frame);
      // It lies entirely behind the shape; drawn, it would show as a rim at soft edges.
      if (shadow.blur <= 0 && shadow.x == 0 && shadow.y == 0) continue;
      effects.shadows.push_back({shadow.color, std::min(shadow.blur * scale, kMaxBlur), offset(shadow.x),
                                 offset(shadow.y), std::clamp(shadow.intensity, 0.0, kMaxShadowIntensity)});
    }
  }
  if (effects == LayerEffects{} && !from.mask && !from.grade) return std::nullopt;
  effects.box = exposure.box;
  effects.boxWidth = clip.box.width;
  effects.boxHeight = clip.box.height;
  return effects;
}

}  // namespace framewright
