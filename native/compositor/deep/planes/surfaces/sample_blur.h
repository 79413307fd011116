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

  // A plane of samples or alpha.
  struct Whole {
    int16_t* samples;
    int width, height;
    bool isAlpha;

    void read(int y, int16_t* row) const;
    void write(int y, const int16_t* row) const;
  };

  void blurPlane(const Whole& plane, double sigma);
  const int16_t* rowOrZero(Field& field, int y);
  // `readRow(y)` returns row y with zeros beside it, `writeRow(y, rows, weights, taps)` gets what it is made
  // of.
  template <typename Read, typename Write>
  void convolveRows(int width, int height, double sigma, const Read& readRow, const Write& writeRow);
  // `rowAt(y)` returns a row of the field that is halved, or zeros. Rows are read in ascending order.
  template <typename RowAt>
  void halve(int width, Field& to, const RowAt& rowAt);
  void doubleRow(int16_t* to, Field& from, int y);

  std::vector<Field> levels_;  // the reduced ones
  Field ring_, line_;
  std::vector<int16_t> zeros_, small_;
};

}  // namespace framewright
