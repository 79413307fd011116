#pragma once

#include <vector>

#include "compositor/deep/planes/surfaces/plane_surface.h"

namespace framewright {

// Gaussian blur of surfaces with transparent surroundings, by the steps of the compositor of 8 bits. Reuses
// its buffers; used by one thread.
class SampleBlur {
 public:
  // `sigma` in pixels.
  void apply(PlaneSurface& surface, double sigma);
  // Alpha alone: rows of `width` samples, `sigma` in samples.
  void blurAlpha(int16_t* alpha, int width, int height, double sigma);

 private:
  // Samples of 15 bits with zeros around them.
  struct Field {
    int width = 0, height = 0;
    size_t step = 0;
    std::vector<int16_t> samples;

    void fit(int fieldWidth, int fieldHeight);
    int16_t* row(int y);
  };

  void blurPlane(int16_t* plane, int width, int height, double sigma, bool isAlpha);
  const int16_t* rowOrZero(Field& field, int y);
  void convolve(Field& field, double sigma);
  void halve(Field& from, Field& to);
  void doubleUp(Field& from, Field& to);

  std::vector<Field> levels_;  // by halvings
  Field ring_, line_;
  std::vector<int16_t> zeros_, small_;
};

}  // namespace framewright
