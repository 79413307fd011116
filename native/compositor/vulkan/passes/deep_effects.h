#pragma once

#include "compositor/vulkan/device/buffer_pool.h"
#include "compositor/vulkan/device/sample_format.h"
#include "compositor/vulkan/passes/frame_plan.h"
#include "compositor/vulkan/records/layer_records.h"
#include "core/blend_mode.h"
#include "timeline/draw_list.h"

namespace framewright::gpu {

// The effects of compositor/deep as compute passes over surfaces of 16 bits with alpha, where they differ
// from EffectPasses. Used by one thread.
class DeepEffectPasses {
 public:
  DeepEffectPasses(BufferPool& pool, FramePlan& plan, LayerRecords& records, const SampleFormat& format)
      : pool_(pool), plan_(plan), records_(records), format_(format) {}

  // For SDR canvases.
  void correct(const DeviceSurface& surface, const Correction& correction);
  Status blur(const DeviceSurface& surface, double sigma);
  // For shadows without `intensity`.
  Status dropShadows(const DeviceSurface& surface, const std::vector<DropShadow>& shadows);
  // Writes to `overlay`, which has the layout of `surface`, what laid over the frame blends `surface` with
  // it. Its corner is at (x, y), `window` clips it, both in frame pixels. False if nothing is visible.
  bool blend(const DeviceSurface& overlay, const DeviceSurface& frame, const DeviceSurface& surface, int x,
             int y, const Rect& window, double opacity, BlendMode mode);

 private:
  // A plane as floats, from the start of its buffer.
  struct Field {
    std::shared_ptr<vulkan::Buffer> buffer;
    int width, height;
  };
  Result<Field> newField(int width, int height);
  // Reads a plane of a surface and blurs it.
  Result<Field> blurredPlane(const DeviceSurface& from, uint32_t start, uint32_t stride, int width,
                             int height, double sigma);
  Status blurField(Field& field, double sigma);
  Status blurPlane(const DeviceSurface& surface, uint32_t start, uint32_t stride, int width, int height,
                   double sigma);
  Status castShadows(const DeviceSurface& surface, const std::vector<DropShadow>& shadows, PlaneGroup group);

  BufferPool& pool_;
  FramePlan& plan_;
  LayerRecords& records_;
  const SampleFormat& format_;
};

}  // namespace framewright::gpu
