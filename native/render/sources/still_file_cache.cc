#include "render/sources/still_file_cache.h"

#include <cstdio>

namespace framewright {

PreparedImagePtr StillFileCache::read(const Compositor& compositor, int source, const DrawnSize& size) const {
  if (folder_.empty()) return nullptr;
  auto still = compositor.readStill(pathOf(source, ".still"), size.width, size.height);
  return still.ok() ? still.take() : nullptr;
}

void StillFileCache::write(const Compositor& compositor, int source, const DrawnSize& size,
                           const PreparedImage& still) const {
  if (folder_.empty()) return;
  const std::string path = pathOf(source, ".made");
  if (!compositor.writeStill(still, size.width, size.height, path).ok()) std::remove(path.c_str());
}

std::string StillFileCache::pathOf(int source, const char* extension) const {
  return folder_ + "/" + std::to_string(source) + extension;
}

}  // namespace framewright
