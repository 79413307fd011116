#pragma once

#include <vector>

#include "compositor/cpu/effects/erase_rows.h"
#include "compositor/cpu/effects/straight_chroma.h"
#include "kernels/straight.h"
#include "timeline/effects.h"

namespace framewright {

// Makes colours near the key transparent. The distance is measured in chroma, and in luma for less saturated
// keys: shading on a green screen is ignored, but a white key does not match grey.
class ChromaKeyer {
 public:
  void apply(const Surface& surface, const ChromaKey& key);

 private:
  // Reduces the key's hue in visible pixels close to it.
  void suppressSpill(const Surface& surface, const kernels::KeyRamp& ramp, float widest) const;

  EraseBuffers rows_;
  StraightChroma chroma_;
  std::vector<uint8_t> y_, u_, v_;
};

}  // namespace framewright
