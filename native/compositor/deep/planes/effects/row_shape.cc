#include "compositor/deep/planes/effects/row_shape.h"

#include <algorithm>
#include <cmath>

#include "compositor/deep/pixel_effects.h"
#include "compositor/deep/planes/images/code_layer.h"
#include "compositor/deep/planes/plane_coverage.h"
#include "kernels/deep/plane_filters.h"
#include "kernels/deep/sample_effects.h"

namespace framewright {

using kernels::kFullWeight;

namespace {

// Whether an edge of a window covers a pixel in part.
bool cutsPixels(const Rect& window) {
  const auto cuts = [](double edge) { return edge != std::round(edge); };
  return cuts(window.x) || cuts(window.y) || cuts(window.right()) || cuts(window.bottom());
}

}  // namespace

Status RowShape::begin(const LayerEffects& effects, const Rect& window,
                       std::span<const PreparedImagePtr> images, const CanvasSize& canvas,
                       const CanvasCurves& curves) {
  canvas_ = canvas;
  const auto width = static_cast<size_t>(canvas.width);
  for (Row* const row : {&luma_[0], &luma_[1], &factors_}) row->resize(width);
  full_.assign(width, kFullWeight);
  floats_.resize(width);
  if (effects.cornerRadius > 0)
    boxes_.emplace_back(canvas, effects.box, effects.boxWidth, effects.boxHeight, effects.cornerRadius);
  if (cutsRevealed(effects)) boxes_.emplace_back(canvas, revealedBox(effects), 1, 1, 0);
  if (effects.cut) boxes_.emplace_back(canvas, *effects.cut, 1, 1, 0);
  // The edges of a window are independent of those of the content.
  if (cutsPixels(window)) boxes_.emplace_back(canvas, unitSquareTo(window), 1, 1, 0);
  if (effects.mask < 0) return {};
  FW_ASSIGN_OR_RETURN(const DeepImage* const mask, deepImageAt(effects.mask, images));
  const Rect all{0, 0, static_cast<double>(mask->width()), static_cast<double>(mask->height())};
  // The box's edges are the layer's edges; antialiasing them in the mask too would attenuate them twice.
  if (mask->isOpaque() && !curves.color().isLinear) {
    FW_ASSIGN_OR_RETURN(auto codes, mask->codes());
    FW_ASSIGN_OR_RETURN(mask_,
                        codeLayer(std::move(codes), {all, effects.maskBox, canvas.rect(), 1, true}, canvas));
    maskLuma_.resize(width + kernels::kSampleBlock);
  }
  if (mask_ != nullptr) return {};
  hasFloatMask_ = true;
  floatMask_ = DeepImageDrawer(curves.color());
  FW_RETURN_IF_ERROR(maskLine_.resize(canvas.width, 1, false));
  return floatMask_.begin(canvas, *mask, {all, effects.maskBox, canvas.rect(), 1, true});
}

bool RowShape::isStraight(int y) const {
  return mask_ == nullptr && !hasFloatMask_ &&
         std::all_of(boxes_.begin(), boxes_.end(), [&](const BoxWeights& box) { return box.isStraight(y); });
}

void RowShape::multiplyBy(Row& row, const std::vector<float>& factors) {
  for (size_t x = 0; x < factors.size(); ++x)
    factors_[x] = static_cast<uint16_t>(factors[x] * float{kFullWeight} + 0.5f);
  kernels::multiplyWeights(row.data(), factors_.data(), row.size());
}

void RowShape::writeRow(int y, Row& row) {
  std::fill(row.begin(), row.end(), kFullWeight);
  for (const BoxWeights& box : boxes_) {
    box.write(y, floats_.data());
    multiplyBy(row, floats_);
  }
  if (mask_ != nullptr) {
    const SampleRange rows = mask_->rows(PlaneGroup::kLuma);
    if (y < rows.first || y >= rows.end) return std::fill(row.begin(), row.end(), uint16_t{0});
    std::fill(maskLuma_.begin(), maskLuma_.end(), int16_t{kernels::kBlackSample});
    mask_->draw(PlaneGroup::kLuma, y, {maskLuma_.data(), nullptr});
    kernels::weightsOfLuma(factors_.data(), maskLuma_.data(), row.size());
    kernels::multiplyWeights(row.data(), factors_.data(), row.size());
  } else if (hasFloatMask_) {
    maskLine_.clear();
    floatMask_.drawRow(y, maskLine_.at(0, 0));
    writeMaskWeights(floats_.data(), maskLine_.at(0, 0), floats_.size());
    multiplyBy(row, floats_);
  }
}

const uint16_t* RowShape::lumaRow(int y) {
  if (isStraight(y)) {
    if (!hasStraight_) {
      straightLuma_.resize(full_.size());
      writeRow(y, straightLuma_);
      isStraightFull_ = straightLuma_ == full_;
      straightChroma_.resize(full_.size());
      chromaWeights(straightChroma_.data(), straightLuma_.data(), straightLuma_.data(), canvas_.width);
      hasStraight_ = true;
    }
    return isStraightFull_ ? nullptr : straightLuma_.data();
  }
  const auto slot = static_cast<size_t>(y % 2);
  if (lumaY_[slot] != y) writeRow(y, luma_[slot]);
  lumaY_[slot] = y;
  return luma_[slot].data();
}

const uint16_t* RowShape::weights(PlaneGroup group, int y) {
  if (!hides()) return nullptr;
  if (group == PlaneGroup::kLuma) return lumaRow(y);
  const uint16_t *const top = lumaRow(2 * y), *const bottom =
                                                  lumaRow(std::min(2 * y + 1, canvas_.height - 1));
  if (top == nullptr && bottom == nullptr) return nullptr;
  if (hasStraight_ && top == straightLuma_.data() && bottom == top) return straightChroma_.data();
  chroma_.resize(full_.size());
  chromaWeights(chroma_.data(), top != nullptr ? top : full_.data(),
                bottom != nullptr ? bottom : full_.data(), canvas_.width);
  return chroma_.data();
}

}  // namespace framewright
