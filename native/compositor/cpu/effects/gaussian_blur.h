#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/layers/surface.h"

namespace framewright {

// Blurs surfaces whose surroundings are transparent. A wide Gaussian is a narrower one on an image that was
// halved first; what halving and doubling blur by themselves is counted in.
class GaussianBlur {
 public:
  // `sigma` in pixels of the surface.
  void apply(const Surface& surface, double sigma);

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
    Field field, rows;  // `rows`: worked on along one direction
  };

  void blurPlane(const Plane& plane, double sigma);
  void convolve(Field& field, Field& rows, double sigma);
  void halve(const Field& from, Field& rows, Field& to);
  void doubleUp(const Field& from, Field& rows, Field& to);

  std::vector<Level> levels_;
  std::vector<int16_t> zeros_;
};

}  // namespace framewright
