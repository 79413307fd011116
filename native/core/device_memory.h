#pragma once

#include <cstdint>
#include <memory>

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
  // Downloads the frame into an image of its format and size as the device sees it and waits for the copy;
  // for probes. Memory of no graphics device fails.
  virtual Status read(const Image& to) const {
    static_cast<void>(to);
    return Error{ErrorCode::GPU_FAILED, "The memory cannot be read back.", ""};
  }

  const Rows& rows(int plane) const { return rows_[plane]; }
  // Null: a frame is complete before it is read, and has been read when it is drawn again.
  virtual const FrameTimeline* timeline() const { return nullptr; }

 protected:
  DeviceMemory(const Rows& luma, const Rows& chroma) : rows_{luma, chroma} {}

 private:
  const Rows rows_[2];
};

// A frame in the linear memory of another API: NV12, or P010 of 10 bits. Borrowed.
struct DmaBufFrame {
  int bits = 8;
  int fd = -1;
  uint64_t bytes = 0;  // of the whole memory
  int width = 0, height = 0;
  DeviceMemory::Rows rows[2];
};

// Device memory for decoded frames which the owner's compositor reads: NV12, or P010 of 10 bits. Outlives the
// compositor; any thread.
class DecodedFrameMemory {
 public:
  virtual ~DecodedFrameMemory() = default;
  // Whether the compositor draws such frames as they are.
  virtual bool reads(int bits) const = 0;
  // Allocates an uninitialised frame whose memory is exported as opaque descriptor. Fails with GPU_FAILED or
  // OUT_OF_MEMORY.
  virtual Result<std::shared_ptr<const DeviceMemory>> allocate(int bits, int width, int height) const = 0;
  // Imports a frame without a copy; its samples are complete and stay in place until the result is destroyed.
  // The descriptor is duplicated. Fails as allocate() does.
  virtual Result<std::shared_ptr<const DeviceMemory>> import(const DmaBufFrame& frame) const = 0;
};

}  // namespace framewright
