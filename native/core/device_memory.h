#pragma once

#include <cstdint>

#include "core/result.h"

namespace framewright {

class Image;

// Where a frame is stored, and the handle type of its memory for other APIs.
enum class FramePlace {
  kHost,
  kOpaque,  // on the device: opaque descriptor for drivers of the same vendor
  kDmaBuf,  // on the device: DMA-BUF descriptor
};

// Device memory that contains an NV12 frame. Any thread.
class DeviceMemory {
 public:
  struct Rows {
    uint64_t offset = 0;
    uint32_t pitch = 0;  // bytes per row, a multiple of 256
  };

  virtual ~DeviceMemory() = default;
  // Returns a new descriptor of the whole memory; the caller owns it.
  virtual Result<int> exportFd() const = 0;
  virtual uint64_t bytes() const = 0;  // allocated size
  // Uploads a kNv12 image of the frame's size and waits for the copy; for probes.
  virtual Status fill(const Image& image) const = 0;

  const Rows& rows(int plane) const { return rows_[plane]; }

 protected:
  DeviceMemory(const Rows& luma, const Rows& chroma) : rows_{luma, chroma} {}

 private:
  const Rows rows_[2];
};

}  // namespace framewright
