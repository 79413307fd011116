#include "formats/sprite_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <sys/stat.h>

#include "core/byte_reader.h"

namespace framewright {
namespace {

constexpr size_t kHeaderBytes = 16;
constexpr uint32_t kVersion = 1, kGradientVersion = 2;
constexpr uint32_t kMaxSide = 16384;

Error unreadable(const std::string& reason, const std::string& path) {
  return {ErrorCode::MEDIA_UNREADABLE, "the sprite file cannot be read (" + reason + ")", path};
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Result<ImagePtr> readSpriteFile(const std::string& path) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return unreadable(std::strerror(errno), path);
  uint8_t bytes[kHeaderBytes] = {};
  struct stat status {};
  if (::fstat(fileno(file.get()), &status) != 0 ||
      std::fread(bytes, 1, kHeaderBytes, file.get()) != kHeaderBytes) {
    return unreadable("too short", path);
  }
  ByteReader reader({bytes, kHeaderBytes}, false);
  const bool magic = reader.startsWith("FWSP", 4);
  reader.skip(4);
  const uint32_t version = reader.u32(), width = reader.u32(), height = reader.u32();
  if (!magic || (version != kVersion && version != kGradientVersion))
    return unreadable("not a sprite of version 1 or 2", path);
  if (width == 0 || height == 0 || width > kMaxSide || height > kMaxSide) return unreadable("bad size", path);
  if (static_cast<uint64_t>(status.st_size) != kHeaderBytes + uint64_t{4} * width * height) {
    return unreadable("wrong length", path);
  }
  FW_ASSIGN_OR_RETURN(
      std::shared_ptr<Image> image,
      Image::create(PixelFormat::kRgbaPremultiplied, static_cast<int>(width), static_cast<int>(height)));
  image->hasGradient = version == kGradientVersion;
  const Plane& plane = image->plane(0);
  for (int y = 0; y < plane.height; ++y) {
    const size_t rowBytes = static_cast<size_t>(width) * 4;
    if (std::fread(plane.data + y * plane.stride, 1, rowBytes, file.get()) != rowBytes) {
      return unreadable("it changed while being read", path);
    }
  }
  return ImagePtr(image);
}

}  // namespace framewright
