#pragma once

#include <vector>

#include "compositor/cpu/effects/erase_rows.h"
#include "compositor/cpu/effects/key/difference_keyer.h"
#include "compositor/cpu/effects/straight_chroma.h"
#include "kernels/straight.h"
#include "timeline/effects.h"

namespace framewright {

// Makes the key's colour transparent: a colourful one by colour difference, a grey one by distance.
class ChromaKeyer {
 public:
  void apply(const Surface& surface, const ChromaKey& key);

 private:
  EraseBuffers rows_;
  StraightChroma chroma_;
  DifferenceKeyer difference_;
  std::vector<uint8_t> y_, u_, v_;
};

}  // namespace framewright
