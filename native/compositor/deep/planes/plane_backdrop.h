#pragma once

#include <memory>

#include "compositor/deep/planes/plane_list.h"
#include "compositor/deep/read_image.h"

namespace framewright {

// What a list shows in an area of the canvas, as rows of colours. Used by one thread.
class PlaneBackdrop {
 public:
  // Composes the area into `frame`, of the canvas's size, with some rows around it.
  PlaneBackdrop(PlaneList& list, const PixelRect& area, const CanvasCurves& curves,
                std::shared_ptr<Image> frame);
  PlaneBackdrop(const PlaneBackdrop&) = delete;
  PlaneBackdrop& operator=(const PlaneBackdrop&) = delete;

  // Canvas row y of the area from column 0 on, valid until the next call.
  kernels::ConstFloatRow row(int y);

 private:
  const std::shared_ptr<Image> frame_;
  RowReader reader_;
  std::array<std::vector<float>, 3> line_;
};

}  // namespace framewright
