#include "compositor/deep/planes/plane_backdrop.h"

#include <algorithm>

#include "compositor/deep/read_image.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {

Status readBackdrop(FloatImage& to, PlaneList& list, const PixelRect& area, const CanvasCurves& curves,
                    Image& frame) {
  const CanvasSize canvas = list.canvas();
  FW_RETURN_IF_ERROR(to.resize(area.width(), area.height(), false));
  // Chroma is interpolated between the rows of two pairs.
  list.writeSamples(frame, std::max(0, area.top - 2), std::min(canvas.height, area.bottom + 2));
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
