#include "compositor/cpu/stills/still_file.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include <sys/stat.h>

namespace framewright {
namespace {

constexpr size_t kHeaderBytes = 40;
constexpr uint32_t kVersion = 1;
constexpr uint32_t kMaxSide = 16384;
constexpr double kChromaOffset = 0.25;  // left siting, as in every prepared still

using Header = std::array<uint8_t, kHeaderBytes>;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File openFile(const std::string& path, const char* mode) {
  return {std::fopen(path.c_str(), mode), std::fclose};
}

Error unwritten() {
  return {ErrorCode::UNEXPECTED, "a prepared image could not be kept", std::strerror(errno)};
}

Error unreadable(const std::string& reason) {
  return {ErrorCode::MEDIA_UNREADABLE, "a kept image cannot be read (" + reason + ")", ""};
}

template <typename Number>
void put(uint8_t* to, Number value) {
  for (size_t i = 0; i < sizeof(Number); ++i) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

uint32_t numberAt(const uint8_t* from) {
  return from[0] | from[1] << 8 | from[2] << 16 | static_cast<uint32_t>(from[3]) << 24;
}

Header headerFor(uint32_t width, uint32_t height, bool withAlpha, double drawnWidth, double drawnHeight) {
  Header header = {'F', 'W', 'S', 'T'};
  put(&header[4], kVersion);
  put(&header[8], width);
  put(&header[12], height);
  put(&header[16], uint32_t{withAlpha});
  put(&header[24], std::bit_cast<uint64_t>(drawnWidth));
  put(&header[32], std::bit_cast<uint64_t>(drawnHeight));
  return header;
}

struct PlaneSize {
  int width = 0, height = 0;
};

// Sizes of Y, Cb, Cr and, with alpha, of both alpha planes.
std::vector<PlaneSize> planeSizes(int width, int height, bool withAlpha) {
  const PlaneSize full{width, height}, half{(width + 1) / 2, (height + 1) / 2};
  return withAlpha ? std::vector{full, half, half, full, half} : std::vector{full, half, half};
}

// One transfer if rows are contiguous.
template <typename Transfer>
bool transferRows(const Plane& plane, const Transfer& transfer) {
  const auto width = static_cast<size_t>(plane.width), height = static_cast<size_t>(plane.height);
  if (plane.stride == plane.width) return transfer(plane.data, width * height) == width * height;
  for (int y = 0; y < plane.height; ++y) {
    if (transfer(plane.data + y * plane.stride, width) != width) return false;
  }
  return true;
}

}  // namespace

Status writeStillFile(const PlanarImage& image, double drawnWidth, double drawnHeight,
                      const std::string& path) {
  if (image.chromaOffset() != kChromaOffset)
    return Error{ErrorCode::UNEXPECTED, "an image that is no prepared still", ""};
  // "x" fails if the file exists.
  const File file = openFile(path, "wbxe");
  if (file == nullptr) return unwritten();
  const bool withAlpha = !image.isOpaque();
  const Header header = headerFor(static_cast<uint32_t>(image.width()), static_cast<uint32_t>(image.height()),
                                  withAlpha, drawnWidth, drawnHeight);
  int found = 0;
  const ImagePlanes& level = image.level(0, found);
  bool written = std::fwrite(header.data(), 1, kHeaderBytes, file.get()) == kHeaderBytes;
  for (const Plane* plane : {&level.y, &level.u, &level.v, &level.alpha, &level.chromaAlpha}) {
    if (plane->data == nullptr) continue;
    written = written && transferRows(*plane, [&](const uint8_t* from, size_t count) {
                return std::fwrite(from, 1, count, file.get());
              });
  }
  return written && std::fflush(file.get()) == 0 ? Status() : unwritten();
}

Result<std::shared_ptr<const PlanarImage>> readStillFile(const std::string& path, double drawnWidth,
                                                         double drawnHeight) {
  const File file = openFile(path, "rbe");
  if (file == nullptr) return unreadable(std::strerror(errno));
  Header header;
  struct stat status {};
  if (::fstat(fileno(file.get()), &status) != 0 ||
      std::fread(header.data(), 1, kHeaderBytes, file.get()) != kHeaderBytes) {
    return unreadable("too short");
  }
  const uint32_t width = numberAt(&header[8]), height = numberAt(&header[12]);
  const bool withAlpha = header[16] != 0;
  if (width == 0 || height == 0 || width > kMaxSide || height > kMaxSide) return unreadable("bad size");
  if (header != headerFor(width, height, withAlpha, drawnWidth, drawnHeight))
    return unreadable("another one");
  const auto sizes = planeSizes(static_cast<int>(width), static_cast<int>(height), withAlpha);
  uint64_t bytes = kHeaderBytes;
  for (const PlaneSize& size : sizes)
    bytes += static_cast<uint64_t>(size.width) * static_cast<uint64_t>(size.height);
  if (static_cast<uint64_t>(status.st_size) != bytes) return unreadable("wrong length");
  auto owners = std::make_shared<std::vector<std::shared_ptr<const void>>>();
  std::array<Plane, 5> planes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    FW_ASSIGN_OR_RETURN(OwnedPlane owned, OwnedPlane::create(sizes[i].width, sizes[i].height));
    planes[i] = owned.plane;
    owners->push_back(std::move(owned.owner));
    const bool whole = transferRows(
        planes[i], [&](uint8_t* to, size_t count) { return std::fread(to, 1, count, file.get()); });
    if (!whole) return unreadable("it changed while being read");
  }
  const ImagePlanes level{planes[0], planes[1], planes[2], planes[3], planes[4]};
  return std::shared_ptr<const PlanarImage>(std::make_shared<PlanarImage>(
      static_cast<int>(width), static_cast<int>(height), kChromaOffset, level, std::move(owners)));
}

}  // namespace framewright
