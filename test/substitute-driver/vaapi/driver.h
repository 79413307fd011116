#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <va/va_backend.h>
#include <va/va_drmcommon.h>

#include "codec/pcm_slice.h"
#include "codec/picture_decoder.h"
#include "faults.h"
#include "importer.h"

// A substitute for a VAAPI driver, which libva opens: surfaces are host memory or imported descriptors that
// can be mapped and copied by the video processor, H.264, HEVC and VP9 are decoded by libav from what the
// caller sends, and H.264 is encoded without loss as samples behind the caller's own headers. Leaks and
// violations are named on stderr.
//
// VAAPI_SUBSTITUTE has settings separated by commas:
//   no-icq=1          no rate control by quality
//   no-derive=1       surfaces cannot be mapped in place
//   no-import=1       surfaces cannot be made from descriptors
//   own-only=1        the encoder refuses surfaces that were made from descriptors
//   no-vpp=1          no video processor
//   shifts-copies=1   the video processor moves the frame by a row
//   vulkan-import=1    descriptors are the software Vulkan device's own, not files; surfaces are exported
//   tiled=1           exported surfaces are not linear
//   contexts=N        contexts that may be open at once (default 8)
//   fault=CALL:N:S    see faults.h; CALL is a function without its prefix, such as EndPicture
namespace substitute {

inline int vaSetting(const std::string& name, int fallback) {
  return settingOf("VAAPI_SUBSTITUTE", name, fallback);
}
inline VAStatus vaFault(const char* call) { return faultIn("VAAPI_SUBSTITUTE", call); }

struct VaSurface {
  uint32_t fourcc = 0;
  int width = 0, height = 0;
  std::vector<uint8_t> own;
  uint8_t* mapped = nullptr;               // memory of an object, or of the Vulkan device
  VkDeviceMemory device = VK_NULL_HANDLE;  // its memory, if the software Vulkan device exported it
  size_t mappedBytes = 0;
  bool isForeign = false;  // made from a descriptor
  size_t offsets[2] = {0, 0}, pitches[2] = {0, 0};
  bool isFilled = false;       // decoded, encoded from, or written
  bool isSynchronised = true;  // vaSyncSurface has been called since
  int order = 0;               // picture order count

  uint8_t* plane(int index) { return (mapped == nullptr ? own.data() : mapped) + offsets[index]; }
  size_t bytes() const { return mapped == nullptr ? own.size() : mappedBytes; }
  ~VaSurface();
};

struct VaBuffer {
  VABufferType type = VABufferTypeMax;
  unsigned size = 0, count = 0;
  std::vector<uint8_t> bytes;
  VASurfaceID surface = VA_INVALID_ID;  // of a derived image, whose memory it is
  VACodedBufferSegment segment{};
  bool isMapped = false;

  template <class Params>
  const Params& as(size_t index = 0) const {
    return *reinterpret_cast<const Params*>(bytes.data() + index * size);
  }
};

struct VaConfig {
  VAProfile profile = VAProfileNone;
  VAEntrypoint entrypoint = VAEntrypointVLD;
  uint32_t rateControl = 0;
};

struct VaContext {
  VaConfig config;
  int width = 0, height = 0;
  VASurfaceID target = VA_INVALID_ID;  // between BeginPicture and EndPicture
  std::vector<std::shared_ptr<VaBuffer>> buffers;
  std::unique_ptr<PictureDecoder> decoder;
};

// The objects of a display.
struct VaDriver {
  std::mutex mutex;
  unsigned lastId = 0;
  std::map<unsigned, std::shared_ptr<VaSurface>> surfaces;
  std::map<unsigned, std::shared_ptr<VaBuffer>> buffers;
  std::map<unsigned, VAImage> images;
  std::map<unsigned, VaConfig> configs;
  std::map<unsigned, std::shared_ptr<VaContext>> contexts;

  template <class Object>
  static std::shared_ptr<Object> find(const std::map<unsigned, std::shared_ptr<Object>>& all, unsigned id) {
    const auto found = all.find(id);
    return found == all.end() ? nullptr : found->second;
  }
};

inline VaDriver& driverOf(VADriverContextP context) { return *static_cast<VaDriver*>(context->pDriverData); }

// Fills the table with the functions for surfaces and images.
void addSurfaceFunctions(VADriverVTable& table);

// Decodes or encodes the buffers of a picture; called with the mutex locked.
VAStatus decodePicture(VaDriver& driver, VaContext& context);
VAStatus encodePicture(VaDriver& driver, VaContext& context);
// Copies a surface by the video processor.
VAStatus processPicture(VaDriver& driver, VaContext& context);

// The bytes of a surface's rows: of NV12, or P010.
inline size_t sampleBytes(const VaSurface& surface) { return surface.fourcc == VA_FOURCC_P010 ? 2 : 1; }

// Fails the call where a test wants it.
#define FW_VA_CALL(call) \
  if (const VAStatus fault = vaFault(#call)) return fault

}  // namespace substitute
