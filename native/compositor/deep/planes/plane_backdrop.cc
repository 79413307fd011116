#include "compositor/deep/planes/plane_backdrop.h"

#include <algorithm>
#include <utility>

#include "core/planes.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

// What is darker than the lowest code counts as that.
void limitToCodes(Image& frame, int top, int bottom) {
  for (int p = 0; p < 3; ++p) {
    const int shift = p == 0 ? 0 : 1;
    for (int y = top >> shift; y < (bottom + shift) >> shift; ++y) {
      auto* const row = reinterpret_cast<int16_t*>(rowOf(frame.plane(p), y));
      for (int x = 0; x < frame.plane(p).width; ++x) row[x] = std::max<int16_t>(row[x], 0);
    }
  }
}

}  // namespace

PlaneBackdrop::PlaneBackdrop(PlaneList& list, const PixelRect& area, const CanvasCurves& curves,
                             std::shared_ptr<Image> frame)
    : frame_(std::move(frame)), reader_(*frame_, curves, kernels::kCodeFraction) {
  const CanvasSize canvas = list.canvas();
  for (auto& channel : line_) channel.resize(static_cast<size_t>(canvas.width + FloatImage::kMargin));
  // Chroma is interpolated between the rows of two pairs.
  const int top = std::max(0, area.top - 2), bottom = std::min(canvas.height, area.bottom + 2);
  for (int y = top; y < bottom; y += 2) {
    const int end = std::min(y + 2, bottom);
    list.writeSamples(*frame_, y, end);
    limitToCodes(*frame_, y, end);
  }
}

kernels::ConstFloatRow PlaneBackdrop::row(int y) {
  const kernels::FloatRow line{line_[0].data(), line_[1].data(), line_[2].data(), nullptr};
  reader_.read(y, line);
  return line;
}

}  // namespace framewright
