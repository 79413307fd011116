#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/layers/surface.h"

namespace framewright {

// Gaussian blur of surfaces with transparent surroundings. Wide blurs are computed at reduced size; the blur
// of down- and upsampling is accounted for.
class GaussianBlur {
 public:
  // `sigma` in surface pixels.
  void apply(const Surface& surface, double sigma);
  // One plane; `sigma` in its samples.
  void blurPlane(const Plane& plane, double sigma);

 private:
  // 16-bit samples with zeros around them.
  struct Field {
    int width = 0, height = 0;
    size_t step = 0;
    std::vector<int16_t> samples;

    void fit(int fieldWidth, int fieldHeight);
    int16_t* row(int y);
    const int16_t* rowOrZero(int y, const std::vector<int16_t>& zeros) const;
  };
  struct Level {
    Field field, rows;  // `rows`: intermediate after one direction
  };

  void convolve(Field& field, Field& rows, double sigma);
  void halve(const Field& from, Field& rows, Field& to);
  void doubleUp(const Field& from, Field& rows, Field& to);

  std::vector<Level> levels_;
  std::vector<int16_t> zeros_;
};

}  // namespace framewright
