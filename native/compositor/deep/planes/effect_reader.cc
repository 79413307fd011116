#include "compositor/deep/planes/effect_reader.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compositor/deep/draw_shape.h"
#include "compositor/deep/finish_rows.h"
#include "compositor/deep/pixel_effects.h"
#include "compositor/plan/group_layers.h"

namespace framewright {
namespace {

class EffectReader final : public SurfaceReader {
 public:
  EffectReader(const PixelRect& area, const CanvasColor& color)
      : size_{area.width(), area.height()},
        left_(area.left),
        top_(area.top),
        weights_(static_cast<size_t>(area.width())),
        image_(color),
        mask_(color),
        canvasColor_(color) {}

  // `layer`: in pixels of the surface.
  Status begin(const Layer& layer, std::span<const PreparedImagePtr> images, const CanvasCurves& curves) {
    FW_RETURN_IF_ERROR(line_.resize(size_.width, 1, true));
    const LayerEffects& effects = *layer.effects;
    const bool isRounded = effects.cornerRadius > 0;
    const Rect whole = size_.rect();
    isFill_ = layer.kind == Layer::Kind::kFill;
    if (isFill_) {
      color_ = curves.fromSdr(layer.fill);
      coverage_.cover(isRounded ? whole : intersection(axisAlignedRect(layer.toCanvas), whole), size_,
                      PlaneGroup::kLuma);
      writeWeights(columns_, coverage_.columns.weights);
    } else {
      FW_ASSIGN_OR_RETURN(const DeepImage* const image, deepImageAt(layer.image, images));
      const Rect crop{layer.crop.x * image->width(), layer.crop.y * image->height(),
                      layer.crop.width * image->width(), layer.crop.height * image->height()};
      FW_RETURN_IF_ERROR(image_.begin(size_, *image, {crop, layer.toCanvas, whole, 1, isRounded}));
    }
    correction_ = effects.correction;
    finish_.begin(effects, left_, top_, canvasColor_);
    if (isRounded)
      corners_.emplace(size_, effects.box, effects.boxWidth, effects.boxHeight, effects.cornerRadius);
    if (effects.mask >= 0) {
      FW_ASSIGN_OR_RETURN(const DeepImage* const mask, deepImageAt(effects.mask, images));
      const Rect all{0, 0, static_cast<double>(mask->width()), static_cast<double>(mask->height())};
      FW_RETURN_IF_ERROR(maskLine_.resize(size_.width, 1, false));
      FW_RETURN_IF_ERROR(mask_.begin(size_, *mask, {all, effects.maskBox, whole, 1, true}));
      isMasked_ = true;
    }
    if (cutsRevealed(effects)) cuts_.emplace_back(size_, revealedBox(effects), 1, 1, 0);
    if (effects.cut) cuts_.emplace_back(size_, *effects.cut, 1, 1, 0);
    return {};
  }

  kernels::ConstFloatRow row(int y) override {
    line_.clear();
    const kernels::FloatRow to = line_.at(0, 0);
    drawContent(y, to);
    if (correction_) correctColors(to, weights_.size(), *correction_, canvasColor_);
    if (finish_.hasVignette()) finish_.darken(y, to, weights_.size());
    if (corners_) {
      corners_->write(y, weights_.data());
      multiply(to);
    }
    if (isMasked_) {
      maskLine_.clear();
      mask_.drawRow(y, maskLine_.at(0, 0));
      writeMaskWeights(weights_.data(), maskLine_.at(0, 0), weights_.size());
      multiply(to);
    }
    for (const BoxWeights& cut : cuts_) {
      cut.write(y, weights_.data());
      multiply(to);
    }
    if (finish_.hasGrain()) finish_.addGrain(y, to, weights_.size());
    return to;
  }

 private:
  void drawContent(int y, const kernels::FloatRow& to) {
    if (!isFill_) return image_.drawRow(y, to);
    if (coverage_.empty() || y < coverage_.rows.first || y >= coverage_.rows.end) return;
    kernels::fillFloats(kernels::fromColumn(to, coverage_.columns.first), color_, columns_.data(),
                        static_cast<float>(coverage_.rows.at(y)) * kCoverageUnit, columns_.size());
  }
  void multiply(const kernels::FloatRow& to) const {
    for (float* const channel : {to.r, to.g, to.b, to.a})
      kernels::multiplyFloats(channel, weights_.data(), weights_.size());
  }

  const CanvasSize size_;
  const int left_, top_;  // on the canvas
  FloatImage line_, maskLine_;
  bool isFill_ = false, isMasked_ = false;
  kernels::FloatColor color_;
  RectCoverage coverage_;
  std::vector<float> columns_, weights_;
  DeepImageDrawer image_, mask_;
  std::optional<Correction> correction_;
  const CanvasColor canvasColor_;
  FinishRows finish_;
  std::optional<BoxWeights> corners_;
  std::vector<BoxWeights> cuts_;
};

}  // namespace

bool hasRowEffects(const Layer& layer) {
  const bool isContent = layer.kind == Layer::Kind::kImage ||
                         (layer.kind == Layer::Kind::kFill && layer.toCanvas.isAxisAligned());
  if (!isContent || !layer.effects) return false;
  const LayerEffects& effects = *layer.effects;
  return effects.blur == 0 && effects.shadows.empty() && !effects.chromaKey && effects.grade < 0 &&
         effects.finish.sharpen <= 0 && effects.motion.empty() && !effects.projection;
}

Result<std::unique_ptr<SurfaceReader>> effectReader(const Layer& layer,
                                                    std::span<const PreparedImagePtr> images,
                                                    const PixelRect& area, const CanvasCurves& curves) {
  auto reader = std::make_unique<EffectReader>(area, curves.color());
  FW_RETURN_IF_ERROR(reader->begin(layersOnSurface({layer}, area.left, area.top).front(), images, curves));
  return std::unique_ptr<SurfaceReader>(std::move(reader));
}

}  // namespace framewright
