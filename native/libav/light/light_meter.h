#pragma once

#include <cstdint>
#include <vector>

#include "core/image.h"
#include "kernels/deep/light_rows.h"
#include "libav/light/content_light.h"

namespace framewright {

// Measures the content light level of PQ frames (CTA-861.3). Used by one thread.
class LightMeter {
 public:
  // kI010 with BT.2020's matrix.
  void add(const Image& frame);
  // Of all frames.
  ContentLight light() const;

 private:
  std::vector<uint16_t> codes_;
  uint16_t peak_ = 0;
  double maxAverage_ = 0;  // cd/m²
};

}  // namespace framewright
