#pragma once

#include <array>
#include <cstdint>

#include "core/result.h"

namespace framewright {

class Image;

// A graphics device, by what other interfaces than the one that draws know it by.
struct DeviceIdentity {
  std::array<uint8_t, 16> uuid{};
  int renderNode = -1;  // N of /dev/dri/renderDN; -1: the driver does not say

  bool isKnown() const { return uuid != std::array<uint8_t, 16>{}; }
  bool operator==(const DeviceIdentity&) const = default;
};

// Where a frame stands, and as what its memory is given to those who read it there.
enum class FramePlace {
  kHost,
  kOpaque,  // on the device: a descriptor that drivers of the same maker understand
  kDmaBuf,  // on the device: one that the kernel understands
};

// Memory on a graphics device in which an NV12 frame stands. Any thread.
class DeviceMemory {
 public:
  struct Rows {
    uint64_t offset = 0;
    uint32_t pitch = 0;  // bytes from row to row, a multiple of 256
  };

  virtual ~DeviceMemory() = default;
  // A new descriptor of all of the memory; the caller closes it or gives it away.
  virtual Result<int> exportFd() const = 0;
  virtual uint64_t bytes() const = 0;  // in all, as it was allocated
  // Brings a kNv12 picture of the frame's size there and waits until it is; for trials.
  virtual Status fill(const Image& picture) const = 0;

  const Rows& rows(int plane) const { return rows_[plane]; }

 protected:
  DeviceMemory(const Rows& luma, const Rows& chroma) : rows_{luma, chroma} {}

 private:
  const Rows rows_[2];
};

}  // namespace framewright
