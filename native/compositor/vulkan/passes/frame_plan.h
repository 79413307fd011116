#pragma once

#include <array>
#include <memory>
#include <vector>

#include "compositor/vulkan/device/device_image.h"
#include "compositor/vulkan/device/pipelines.h"
#include "compositor/vulkan/records/tables.h"

namespace framewright::gpu {

// An image in device memory that passes draw.
struct DeviceSurface {
  std::shared_ptr<vulkan::Buffer> buffer;
  SurfaceLayout layout;
};

// One dispatch. It waits for the passes before it when `waits` is set.
struct Pass {
  Shader shader;
  std::vector<uint32_t> constants;
  const vulkan::Buffer* target = nullptr;
  std::vector<const vulkan::Buffer*> sources;
  std::vector<uint32_t> push;
  std::array<uint32_t, 3> groups{1, 1, 1};
  bool waits = true;
};

// Everything that the device does for one frame.
struct FramePlan {
  Tables tables;
  std::vector<const DeviceImage*> uploads;  // mip level 0 is copied from the host
  std::vector<Pass> passes;
  std::vector<std::shared_ptr<vulkan::Buffer>> used;  // owned until the frame is done

  void clear() {
    tables.clear();
    uploads.clear();
    passes.clear();
    used.clear();
  }
};

// Workgroups of 32 x 4 invocations, each of four samples of a row.
inline std::array<uint32_t, 3> groupsFor(int width, int height) {
  return {static_cast<uint32_t>(width + 127) / 128, static_cast<uint32_t>(height + 3) / 4, 1};
}

}  // namespace framewright::gpu
