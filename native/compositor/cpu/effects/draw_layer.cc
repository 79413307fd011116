#include "compositor/cpu/effects/draw_layer.h"

#include <algorithm>
#include <cmath>

#include "compositor/cpu/effects/correction.h"
#include "compositor/cpu/stack_row.h"

namespace framewright {
namespace {

constexpr double kEndless = 4096;  // boxes beyond a side that cuts nothing

Rect grown(const Rect& rect, double by) {
  return {rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by};
}

Rect boundsOf(const Affine& m) {
  const double left = m.dx + std::min({0.0, m.xx, m.xy, m.xx + m.xy});
  const double right = m.dx + std::max({0.0, m.xx, m.xy, m.xx + m.xy});
  const double top = m.dy + std::min({0.0, m.yx, m.yy, m.yx + m.yy});
  const double bottom = m.dy + std::max({0.0, m.yx, m.yy, m.yx + m.yy});
  return {left, top, right - left, bottom - top};
}

// The revealed part of the box, going on where a side cuts nothing.
Affine revealedBox(const LayerEffects& effects) {
  constexpr double kSame = 1e-9;
  const Rect& part = effects.revealed;
  const double left = part.x > kSame ? part.x : -kEndless, top = part.y > kSame ? part.y : -kEndless;
  const double right = part.right() < 1 - kSame ? part.right() : kEndless;
  const double bottom = part.bottom() < 1 - kSame ? part.bottom() : kEndless;
  return effects.box * Affine{right - left, 0, left, 0, bottom - top, top};
}

bool cuts(const LayerEffects& effects) { return effects.revealed != Rect{0, 0, 1, 1}; }

// Whether the picture itself stays as it is.
bool onlyReveals(const LayerEffects& effects) {
  return !effects.correction && !effects.chromaKey && effects.cornerRadius == 0 && effects.mask < 0 &&
         effects.blur == 0 && effects.blend == BlendMode::kNormal;
}

// The pixels that a drawing reaches, from even to even.
struct PixelRect {
  int x, y, width, height;
};
PixelRect evenPixels(const Rect& rect) {
  const auto down = [](double edge) { return 2 * static_cast<int>(std::floor(edge / 2)); };
  const auto up = [](double edge) { return 2 * static_cast<int>(std::ceil(edge / 2)); };
  const int x = down(rect.x), y = down(rect.y);
  return {x, y, up(rect.right()) - x, up(rect.bottom()) - y};
}

}  // namespace

Status EffectDrawer::draw(Image& frame, const LayerContent& content, const PlanarPicture* mask,
                          const Rect& canvasWindow, double opacity) {
  const LayerEffects& effects = *content.layer.effects;
  const bool upright = effects.box.isAxisAligned();
  Rect window = canvasWindow;
  // An upright reveal is a window.
  if (cuts(effects) && upright) window = intersection(window, drawnRect(revealedBox(effects)));
  if (upright && onlyReveals(effects)) {
    if (window.width > 0 && window.height > 0) {
      contents_.draw(surfaceOf(frame), content, {content.layer.toCanvas, window, opacity});
    }
    return {};
  }
  // What is blurred from outside the window is needed too; chroma of a blend reaches two pixels.
  const double reach = std::ceil(kBlurReach * effects.blur) + 2;
  const Rect drawn = intersection(grown(boundsOf(content.layer.toCanvas), reach), grown(window, reach));
  if (window.width <= 0 || window.height <= 0 || drawn.width <= 0 || drawn.height <= 0) return {};
  const PixelRect pixels = evenPixels(drawn);
  FW_RETURN_IF_ERROR(buffer_.begin(pixels.x, pixels.y, pixels.width, pixels.height));
  const Surface& surface = buffer_.surface();
  const bool rounded = effects.cornerRadius > 0;
  contents_.draw(surface, content,
                 {buffer_.fromCanvas() * content.layer.toCanvas, buffer_.rect(), 1, rounded});

  if (effects.correction) correctColors(surface, *effects.correction);
  if (effects.chromaKey) keyer_.apply(surface, *effects.chromaKey);
  if (rounded) {
    shape_.begin(surface.size(), buffer_.fromCanvas() * effects.box, effects.boxWidth, effects.boxHeight,
                 effects.cornerRadius);
    hideRows(surface, rows_, [&](int y, uint16_t* hidden) { return shape_.fillHidden(y, hidden); });
  }
  if (mask != nullptr) {
    FW_RETURN_IF_ERROR(mask_.apply(buffer_, *mask, effects.maskBox, contents_.pictures()));
  }
  if (effects.blur > 0) blur_.apply(surface, effects.blur);
  if (cuts(effects) && !upright) {
    shape_.begin(surface.size(), buffer_.fromCanvas() * revealedBox(effects), 1, 1, 0);
    hideRows(surface, rows_, [&](int y, uint16_t* hidden) { return shape_.fillHidden(y, hidden); });
  }
  if (effects.blend == BlendMode::kNormal) {
    stack(frame, window, opacity);
  } else {
    blender_.blend(frame, buffer_, window, opacity, effects.blend);
  }
  return {};
}

void EffectDrawer::stack(Image& frame, const Rect& window, double opacity) {
  const Surface& from = buffer_.surface();
  const Rect whole{static_cast<double>(buffer_.x()), static_cast<double>(buffer_.y()),
                   static_cast<double>(from.width), static_cast<double>(from.height)};
  const Surface to = surfaceOf(frame);
  for (const PlaneGroup group : {PlaneGroup::kLuma, PlaneGroup::kChroma}) {
    coverage_.cover(intersection(window, whole), to.size(), group);
    if (coverage_.empty()) continue;
    const int shift = group == PlaneGroup::kLuma ? 0 : 1;
    const std::array<Plane, 3> source = planesOf(from.planes, group), target = planesOf(to.planes, group);
    const AxisCoverage& rows = coverage_.rows;
    const int left = coverage_.columns.first - (buffer_.x() >> shift);
    for (int y = rows.first; y < rows.end; ++y) {
      const uint16_t weight = toWeight(opacity * rows.at(y) / kernels::kFullWeight);
      const int sourceY = y - (buffer_.y() >> shift);
      const auto row = [&](int p) {
        const Plane& plane = source[static_cast<size_t>(p)];
        return plane.data + sourceY * plane.stride + left;
      };
      for (int colour = 0; colour < colourPlanes(group); ++colour) {
        const Plane& plane = target[static_cast<size_t>(colour)];
        stackRow(plane.data + y * plane.stride, row(colour), row(kAlphaPlane), coverage_.columns, weight);
      }
    }
  }
}

}  // namespace framewright
