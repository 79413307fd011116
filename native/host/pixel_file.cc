#include "host/pixel_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace framewright::host {

Status writePixels(const Image& image, const std::string& path) {
  const auto failed = [] {
    return Error{ErrorCode::UNEXPECTED, "a frame's pixels could not be handed over", std::strerror(errno)};
  };
  const Plane& plane = image.plane(0);
  const size_t rowBytes = static_cast<size_t>(plane.width) * 4;
  const size_t rowsAtOnce =
      rowBytes == static_cast<size_t>(plane.stride) ? static_cast<size_t>(plane.height) : 1;
  // "x": never what somebody else has put there.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wbxe"), std::fclose);
  if (file == nullptr) return failed();
  for (int y = 0; y < plane.height; y += static_cast<int>(rowsAtOnce)) {
    if (std::fwrite(plane.data + y * plane.stride, rowBytes, rowsAtOnce, file.get()) != rowsAtOnce)
      return failed();
  }
  return std::fflush(file.get()) == 0 ? Status() : failed();
}

}  // namespace framewright::host
