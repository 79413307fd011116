#include "render/kept_stills.h"

#include <cstdio>

namespace framewright {

PreparedImagePtr KeptStills::take(const Compositor& compositor, int source, const DrawnSize& size) const {
  if (folder_.empty()) return nullptr;
  auto still = compositor.readStill(pathOf(source, ".still"), size.width, size.height);
  return still.ok() ? still.take() : nullptr;
}

void KeptStills::keep(const Compositor& compositor, int source, const DrawnSize& size,
                      const PreparedImage& still) const {
  if (folder_.empty()) return;
  const std::string path = pathOf(source, ".made");
  if (!compositor.writeStill(still, size.width, size.height, path).ok()) std::remove(path.c_str());
}

std::string KeptStills::pathOf(int source, const char* ending) const {
  return folder_ + "/" + std::to_string(source) + ending;
}

}  // namespace framewright
