#pragma once

#include <cstdint>

#include "core/result.h"

namespace framewright {

class Image;

// Where a frame is stored, and the handle type of its memory for other APIs.
enum class FramePlace {
  kHost,
  kOpaque,          // on the device: opaque descriptor for drivers of the same vendor
  kDmaBuf,          // on the device: DMA-BUF descriptor
  kOpaqueTimeline,  // kOpaque with a FrameTimeline
};

// A timeline semaphore that orders the device's writes of one frame and another API's reads, so that the host
// waits for neither. Each write and each read signals the next value. A value that does not arrive in time,
// because its device is lost, is signalled by the host. Any thread.
class FrameTimeline {
 public:
  virtual ~FrameTimeline() = default;
  // Returns a new opaque descriptor of the semaphore; the caller owns it.
  virtual Result<int> exportFd() const = 0;
  // The value of the last submitted write or read.
  virtual uint64_t lastValue() const = 0;
  // Records that a submitted read signals lastValue() + 1.
  virtual void addRead() const = 0;
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
  // Uploads a kNv12 image of the frame's size and waits for the copy, unless there is a timeline; for probes,
  // in one thread.
  virtual Status fill(const Image& image) const = 0;

  const Rows& rows(int plane) const { return rows_[plane]; }
  // Null: a frame is complete before it is read, and has been read when it is drawn again.
  virtual const FrameTimeline* timeline() const { return nullptr; }

 protected:
  DeviceMemory(const Rows& luma, const Rows& chroma) : rows_{luma, chroma} {}

 private:
  const Rows rows_[2];
};

}  // namespace framewright
