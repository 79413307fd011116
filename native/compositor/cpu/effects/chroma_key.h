#pragma once

#include <vector>

#include "compositor/cpu/effects/erase_rows.h"
#include "compositor/cpu/effects/straight_chroma.h"
#include "kernels/straight.h"
#include "timeline/effects.h"

namespace framewright {

// Makes what has nearly the key's colour transparent. Nearness is distance in chroma, and the less coloured
// the key is, in luma too: light and shadow on a green wall don't matter, but a white key spares grey.
class ChromaKeyer {
 public:
  void apply(const Surface& surface, const ChromaKey& key);

 private:
  // Weakens the key's own hue in what is left near it.
  void suppressSpill(const Surface& surface, const kernels::KeyRamp& ramp, float widest) const;

  EraseBuffers rows_;
  StraightChroma chroma_;
  std::vector<uint8_t> y_, u_, v_;
};

}  // namespace framewright
