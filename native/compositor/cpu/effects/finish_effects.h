#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compositor/cpu/effects/layer_buffer.h"
#include "compositor/plan/effects/finish_plan.h"
#include "kernels/finish.h"
#include "timeline/draw_list.h"

namespace framewright {

// Sharpening, vignette and grain of layers. Used by one thread.
class FinishEffects {
 public:
  void sharpen(const Surface& surface, double amount);
  // Plans a layer's vignette, for darkenCorners() of its surface or of all the parts of it.
  void beginVignette(const LayerBuffer& layer, const LayerEffects& effects);
  void darkenCorners(const Surface& surface);
  void addGrain(const LayerBuffer& layer, const LayerEffects& effects);

 private:
  // Rows of a plane, its border samples repeated beyond it.
  struct Rows {
    std::array<std::vector<uint8_t>, kernels::kSharpenTaps> copies;
    std::array<const uint8_t*, kernels::kSharpenTaps> at;

    void begin(const Plane& plane);
    // Moves from row y - 1 to row y of the plane, whose rows from y on are unchanged.
    void advance(const Plane& plane, int y);
    void copy(const Plane& plane, int y);
  };

  Rows luma_, alpha_;
  std::array<VignettePlan, 2> vignettes_;  // of luma and chroma
  std::vector<int8_t> noise_;              // of a row
  std::vector<uint16_t> brightness_;
};

}  // namespace framewright
