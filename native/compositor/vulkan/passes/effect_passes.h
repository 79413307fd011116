#pragma once

#include "compositor/vulkan/device/buffer_pool.h"
#include "compositor/vulkan/passes/frame_plan.h"
#include "compositor/vulkan/records/layer_records.h"
#include "core/blend_mode.h"
#include "timeline/draw_list.h"

namespace framewright::gpu {

// Words per row of pixel weights, two per word.
inline uint32_t weightStride(const SurfaceLayout& layout) { return word((layout.width + 3) / 4 * 2); }

// The effects of compositor/cpu/effects as compute passes over surfaces with alpha. Used by one thread.
class EffectPasses {
 public:
  EffectPasses(BufferPool& pool, FramePlan& plan, LayerRecords& records)
      : pool_(pool), plan_(plan), records_(records) {}

  void correct(const DeviceSurface& surface, const Correction& correction);
  Status key(const DeviceSurface& surface, const ChromaKey& key);
  // `table`: a resident image of gradeTableImage().
  Status grade(const DeviceSurface& surface, const DeviceImage& table);
  Status sharpen(const DeviceSurface& surface, double amount);
  // `box`: unit square of the vignette -> surface pixels.
  void darkenCorners(const DeviceSurface& surface, const Vignette& vignette, const Affine& box);
  // `tile`: of GrainBuffer; (left, top): position of the surface on the canvas.
  void addGrain(const DeviceSurface& surface, const vulkan::Buffer& tile, const LayerEffects& effects,
                int left, int top);
  // Hides everything outside the box that `box` maps to surface pixels; the other numbers are in box pixels.
  Status cutShape(const DeviceSurface& surface, const Affine& box, double width, double height,
                  double radius);
  // `mask` has the surface's size.
  Status cutMask(const DeviceSurface& surface, const DeviceSurface& mask);
  Status blur(const DeviceSurface& surface, double sigma);
  // Writes the mean of the moved copies of `still` to `surface`, which has the same layout.
  void blurMotion(const DeviceSurface& surface, const DeviceSurface& still, const std::vector<Affine>& motion,
                  const Affine& fromCanvas);
  // Draws `flat` in perspective; the rectangles are the places of both, see LayerPlacement.
  void project(const DeviceSurface& projected, const PixelRect& place, const DeviceSurface& flat,
               const PixelRect& flatPlace, const Homography& toCanvas);
  Status dropShadows(const DeviceSurface& surface, const std::vector<DropShadow>& shadows);
  // Blends `surface`, whose corner is at (x, y), into `frame`, clipped to `window`; all in frame pixels.
  Status blend(const DeviceSurface& frame, const DeviceSurface& surface, int x, int y, const Rect& window,
               double opacity, BlendMode mode);

 private:
  // Straight chroma of a part of a surface, in chroma samples; see shaders/effects/straight_chroma.glsl.
  struct Straight {
    std::shared_ptr<vulkan::Buffer> buffer;
    uint32_t start = 0, rows = 0;
    int width = 0, height = 0;
  };
  Result<Straight> straighten(const DeviceSurface& surface, int left, int top, int width, int height);
  Status keyDifference(const DeviceSurface& surface, const ChromaKey& key, const Straight& straight);
  // Hides pixels by the weights that the pass `weigh` writes.
  Status hide(const DeviceSurface& surface, Pass weigh);
  Result<std::shared_ptr<vulkan::Buffer>> scratch(uint64_t bytes);
  // Reads a plane of `from` and writes it, blurred, to `to`, which has the same layout.
  Status blurPlane(const DeviceSurface& to, const DeviceSurface& from, uint32_t start, uint32_t stride,
                   int width, int height, double sigma);
  void add(Pass pass) { plan_.passes.push_back(std::move(pass)); }

  BufferPool& pool_;
  FramePlan& plan_;
  LayerRecords& records_;
};

}  // namespace framewright::gpu
