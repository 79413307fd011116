#include "compositor/deep/planes/plane_backdrop.h"

#include <algorithm>

#include "compositor/deep/read_image.h"
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

Status readBackdrop(FloatImage& to, PlaneList& list, const PixelRect& area, const CanvasCurves& curves,
                    Image& frame) {
  const CanvasSize canvas = list.canvas();
  FW_RETURN_IF_ERROR(to.resize(area.width(), area.height(), false));
  // Chroma is interpolated between the rows of two pairs.
  const int top = std::max(0, area.top - 2), bottom = std::min(canvas.height, area.bottom + 2);
  list.writeSamples(frame, top, bottom);
  limitToCodes(frame, top, bottom);
  RowReader reader(frame, curves, kernels::kCodeFraction);
  const bool isWide = area.width() == canvas.width;
  FloatImage line;
  if (!isWide) FW_RETURN_IF_ERROR(line.resize(canvas.width, 1, false));
  for (int y = 0; y < area.height(); ++y) {
    reader.read(area.top + y, isWide ? to.at(0, y) : line.at(0, 0));
    for (int channel = 0; channel < 3 && !isWide; ++channel)
      std::copy_n(line.row(channel, 0) + area.left, area.width(), to.row(channel, y));
  }
  return {};
}

}  // namespace framewright
