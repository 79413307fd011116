#include "libav/outputs/frame_spool.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace framewright {
namespace {

Error spoolError() {
  return Error{ErrorCode::IO_FAILED, "The frames of an output cannot be stored.", std::strerror(errno)};
}

}  // namespace

FrameSpool::~FrameSpool() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status FrameSpool::open(const std::string& path, int width, int height) {
  width_ = width, height_ = height;
  const std::string name = path + ".frames";
  descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor_ < 0) return spoolError();
  ::unlink(name.c_str());
  return {};
}

Status FrameSpool::add(const Image& image, int64_t count) {
  const Plane& plane = image.plane(0);
  const auto rowBytes = static_cast<size_t>(width_) * 4;
  std::vector<uint8_t> rows(rowBytes * static_cast<size_t>(height_));
  for (int y = 0; y < height_; ++y)
    std::memcpy(rows.data() + static_cast<size_t>(y) * rowBytes, plane.data + y * plane.stride, rowBytes);
  for (size_t written = 0; written < rows.size();) {
    const ssize_t step = ::write(descriptor_, rows.data() + written, rows.size() - written);
    if (step <= 0) return spoolError();
    written += static_cast<size_t>(step);
  }
  counts_.push_back(count);
  return {};
}

Result<std::shared_ptr<Image>> FrameSpool::read(size_t index) const {
  FW_ASSIGN_OR_RETURN(auto image, Image::create(PixelFormat::kRgbaStraight, width_, height_));
  const Plane& plane = image->plane(0);
  const auto rowBytes = static_cast<size_t>(width_) * 4;
  const size_t frame = index * rowBytes * static_cast<size_t>(height_);
  for (int y = 0; y < height_; ++y) {
    const auto offset = static_cast<off_t>(frame + static_cast<size_t>(y) * rowBytes);
    if (::pread(descriptor_, plane.data + y * plane.stride, rowBytes, offset) !=
        static_cast<ssize_t>(rowBytes))
      return spoolError();
  }
  return image;
}

}  // namespace framewright
