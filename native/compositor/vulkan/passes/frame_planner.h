#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "compositor/deep/eight_bit_drawing.h"
#include "compositor/plan/layer_placement.h"
#include "compositor/plan/transitions/transition_layers.h"
#include "compositor/plan/transitions/transition_styles.h"
#include "compositor/vulkan/device/image_cache.h"
#include "compositor/vulkan/passes/deep_effects.h"
#include "compositor/vulkan/passes/effect_passes.h"
#include "compositor/vulkan/passes/grain_buffer.h"
#include "compositor/vulkan/records/layer_records.h"
#include "compositor/vulkan/shaders/record_fields.h"
#include "compositor/vulkan/transitions/pattern_buffers.h"

namespace framewright::gpu {

// Compiles a DrawList to passes. Layers are batched until a pass reads the target, then composited in one
// pass. Used by one thread.
class FramePlanner {
 public:
  // `format` is that of the targets, which have layouts of its samples.
  FramePlanner(BufferPool& pool, ImageCache& residents, const SampleFormat& format);

  // `plan` is empty; the frame is drawn to `target`. `images` as in Compositor::compose().
  Status plan(const DrawList& list, std::span<const PreparedImagePtr> images, const DeviceSurface& target,
              FramePlan& plan);
  // Call after a plan that was not executed.
  void forgetUploads() {
    patterns_.clear();
    grain_.clear();
  }

 private:
  // Layers batched for a target.
  struct Stack {
    const DeviceSurface* target = nullptr;
    bool startsEmpty = true;           // the target starts black, or transparent
    std::vector<uint32_t> records[2];  // table offsets of luma and chroma records
    int kinds[2] = {0, 0};
    std::vector<const vulkan::Buffer*> sources;
  };

  Status planList(const DrawList& list, const DeviceSurface& target);
  Status planLayer(const Layer& layer, Stack& stack);
  Status planTransition(const Layer& layer, Stack& stack);
  void addTransitionLayers(const TransitionStyle& style, double progress,
                           std::span<const DeviceSurface> sides, Stack& stack);
  // Adds a layer of a transition. `sides` are by TransitionSide.
  void addTransitionLayer(const TransitionLayer& layer, std::span<const DeviceSurface> sides, Stack& stack,
                          bool withLuma = true, bool withChroma = true);
  Status planZoomBlur(double progress, std::span<const DeviceSurface> sides, Stack& stack);
  Status planOffscreen(const Layer& layer, const LayerPlacement& placement, Stack& stack);
  // Lays a surface over the stack by its layer's blend mode, with samples of 16 bits.
  Status blendDeep(const Layer& layer, const LayerPlacement& placement, const DeviceSurface& surface,
                   Stack& stack);
  DeepEffectPasses deepEffects() { return {pool_, *plan_, *records_, format_}; }
  // Draws the content onto `surface` and applies all effects except opacity and blend mode.
  Status drawOffscreen(const Layer& layer, const DeviceSurface& surface, int x, int y);
  Status addContent(const Layer& layer, const Placement& placement, Stack& stack);
  Status addImage(int index, const Rect& crop, const Placement& placement, Stack& stack);
  // Descriptor index of a buffer; flushes the stack if all descriptors are in use.
  uint32_t sourceIn(Stack& stack, const vulkan::Buffer* buffer);
  template <class Write>
  RecordNeeds addRecords(Stack& stack, const Write& write);
  void flush(Stack& stack);

  const DeviceImage* imageAt(int index) const;
  // The image of a transition mask. Fails for an index that the list lacks, or with OUT_OF_MEMORY.
  Result<std::shared_ptr<const PlanarImage>> maskImage(int index) const;
  FillValues valuesOf(const Color& color) const { return {format_.valuesOf(color), color.a / 255.0}; }
  Result<DeviceSurface> scratch(int width, int height, bool hasAlpha);

  BufferPool& pool_;
  ImageCache& residents_;
  const SampleFormat format_;
  const std::unique_ptr<const EightBitDrawing> eightBits_;  // converts masks; null for bytes
  PatternBuffers patterns_;
  GrainBuffer grain_;
  FramePlan* plan_ = nullptr;
  std::span<const PreparedImagePtr> images_;
  bool isDithered_ = false;  // of the outermost list
  std::optional<LayerRecords> records_;
};

template <class Write>
RecordNeeds FramePlanner::addRecords(Stack& stack, const Write& write) {
  RecordNeeds all;
  for (const PlaneGroup group : {PlaneGroup::kLuma, PlaneGroup::kChroma}) {
    const size_t index = group == PlaneGroup::kLuma ? 0 : 1;
    const uint32_t record = plan_->tables.add(kRecordWords);
    const RecordNeeds needs = write(record, group);
    if (needs.empty) continue;
    stack.records[index].push_back(record);
    stack.kinds[index] |= needs.kinds;
    all.levels = std::max(all.levels, needs.levels);
  }
  return all;
}

}  // namespace framewright::gpu
