#pragma once

#include <array>
#include <bit>
#include <memory>
#include <vector>

#include "compositor/vulkan/device/device_image.h"
#include "compositor/vulkan/device/pipelines.h"
#include "compositor/vulkan/records/tables.h"

namespace framewright::gpu {

// An image in device memory.
struct DeviceSurface {
  std::shared_ptr<vulkan::Buffer> buffer;
  SurfaceLayout layout;
};

// One dispatch; preceded by a barrier if `waits` is set.
struct Pass {
  Shader shader;
  std::vector<uint32_t> constants;
  const vulkan::Buffer* target = nullptr;
  std::vector<const vulkan::Buffer*> sources;
  std::vector<uint32_t> push;
  std::array<uint32_t, 3> groups{1, 1, 1};
  bool waits = true;
};

// All device work of one frame.
struct FramePlan {
  Tables tables;
  std::vector<const DeviceImage*> uploads;  // images whose mip level 0 is uploaded
  std::vector<const vulkan::Buffer*> decoded;  // memory that another API has written and passes read
  std::vector<Pass> passes;
  std::vector<std::shared_ptr<vulkan::Buffer>> used;  // kept alive until the frame is finished

  void clear() {
    tables.clear();
    uploads.clear();
    decoded.clear();
    passes.clear();
    used.clear();
  }
};

// The word of a table or push constant with this value.
inline uint32_t word(int value) { return static_cast<uint32_t>(value); }
inline uint32_t word(double value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); }

template <class... Values>
void append(std::vector<uint32_t>& to, Values... values) {
  (to.push_back(values), ...);
}

inline void appendSurface(std::vector<uint32_t>& to, const SurfaceLayout& layout) {
  const auto words = surfaceWords(layout);
  to.insert(to.end(), words.begin(), words.end());
}

// Workgroups of 32x4 invocations with four samples each.
inline std::array<uint32_t, 3> groupsFor(int width, int height) {
  return {static_cast<uint32_t>(width + 127) / 128, static_cast<uint32_t>(height + 3) / 4, 1};
}

}  // namespace framewright::gpu
