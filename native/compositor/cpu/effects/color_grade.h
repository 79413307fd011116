#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/effects/straight_chroma.h"
#include "compositor/planar_image.h"
#include "kernels/color_lut.h"

namespace framewright {

// Maps the colours of a surface with alpha through a table of gradeTableImage(). Used by one thread.
class ColorGrader {
 public:
  ColorGrader();
  void apply(const Surface& surface, const PlanarImage& table);

 private:
  // Straight luma at the chroma samples of a row: [1 2 1] over both of its luma rows.
  void siteLuma(const Surface& surface, int chromaRow);
  // Converts `width` straight samples to signals.
  void toSignals(size_t width);

  const kernels::SignalMatrix matrix_;
  StraightChroma chroma_;
  std::vector<uint8_t> bytes_[3];
  std::vector<uint16_t> samples_[3], signals_[3];
};

}  // namespace framewright
