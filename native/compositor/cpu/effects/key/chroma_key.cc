#include "compositor/cpu/effects/key/chroma_key.h"

#include "compositor/plan/effects/key_ramp.h"

namespace framewright {

void ChromaKeyer::apply(const Surface& surface, const ChromaKey& key) {
  const ImagePlanes& planes = surface.planes;
  chroma_.begin(planes.u, planes.v, planes.chromaAlpha);
  if (isColourful(key)) return difference_.apply(surface, key, chroma_, rows_);
  const kernels::KeyRamp ramp = keyRampOf(key);
  const auto width = static_cast<size_t>(surface.width);
  for (auto* row : {&y_, &u_, &v_}) row->resize(width);
  eraseRows(surface, rows_, [&](int y, uint16_t* hidden) {
    kernels::unpremultiplyRow(y_.data(), planes.y.data + y * planes.y.stride,
                              planes.alpha.data + y * planes.alpha.stride, width);
    chroma_.fillRow(y, u_.data(), v_.data(), width);
    kernels::keyRow(hidden, y_.data(), u_.data(), v_.data(), ramp, width);
    return true;
  });
}

}  // namespace framewright
