#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/layers/surface.h"

namespace framewright {

// Gaussian blur of surfaces with transparent surroundings. Wide blurs are computed at reduced size; the blur
// of down- and upsampling is accounted for. Rows pass through all steps of a level while they are in the CPU
// cache; only reduced levels are stored as a whole.
class GaussianBlur {
 public:
  // `sigma` in surface pixels.
  void apply(const Surface& surface, double sigma);
  // One plane; `sigma` in its samples.
  void blurPlane(const Plane& plane, double sigma);
  // The same result for an alpha plane, faster if its middle is uniform.
  void blurAlpha(const Plane& plane, double sigma);

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

  void convolve(const Plane& plane, double sigma);
  void convolve(Field& field, double sigma);
  // `readRow(y)` returns row y with zeros beside it, `writeRow(y, row)` gets its result.
  template <typename Read, typename Write>
  void convolveRows(int width, int height, double sigma, Read readRow, Write writeRow);
  void halve(const Plane& from, Field& to);
  void halve(const Field& from, Field& to);
  void doubleUp(const Field& from, const Plane& to);
  void doubleUp(const Field& from, Field& to);
  void halveRows(int16_t* dst, const int16_t* const* taps, int width);
  void doubleRow(int16_t* dst, const Field& from, int y);

  std::vector<Field> levels_;  // the reduced ones
  Field ring_, line_;          // rows between the steps of a level
  std::vector<int16_t> zeros_;
  std::vector<uint8_t> small_;
};

}  // namespace framewright
