#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "compositor/vulkan/effect_passes.h"
#include "compositor/vulkan/layer_records.h"
#include "compositor/vulkan/pattern_buffers.h"
#include "compositor/vulkan/resident_pictures.h"
#include "compositor/vulkan/shaders/record_fields.h"
#include "compositor/vulkan/transition_layers.h"

namespace framewright::gpu {

// Turns a DrawList into passes. Layers gather until something needs what is below them; then they are laid
// over the target at once. Used by one thread.
class FramePlanner {
 public:
  FramePlanner(BufferPool& pool, ResidentPictures& residents);

  // `plan` is empty; the frame is drawn over `target`. `pictures` as in Compositor::compose().
  Status plan(const DrawList& list, std::span<const PicturePtr> pictures, const DeviceSurface& target,
              FramePlan& plan);
  // After a plan that was not carried out.
  void forgetPatterns() { patterns_.forget(); }

 private:
  // Layers for one target that are not laid over it yet.
  struct Stack {
    const DeviceSurface* target = nullptr;
    bool startsEmpty = true;           // with nothing on it: black, or transparent
    std::vector<uint32_t> records[2];  // of luma and chroma, in the tables
    int kinds[2] = {0, 0};
    std::vector<const vulkan::Buffer*> sources;
  };

  Status planList(const DrawList& list, const DeviceSurface& target);
  Status planLayer(const Layer& layer, Stack& stack);
  Status planTransition(const Layer& layer, Stack& stack);
  void layTransition(const LayeredTransition& style, double progress, std::span<const DeviceSurface> sides,
                     Stack& stack);
  Status planEffects(const Layer& layer, const Rect& canvasWindow, double opacity, Stack& stack);
  // Draws the content apart, changed by all effects but the last two: opacity and blending.
  Status drawApart(const Layer& layer, const DeviceSurface& surface, int x, int y);
  Status addContent(const Layer& layer, const Placement& placement, Stack& stack);
  Status addPicture(int index, const Rect& crop, const Placement& placement, Stack& stack);
  // The descriptor of a buffer; lays the stack where it has no room left.
  uint32_t sourceIn(Stack& stack, const vulkan::Buffer* buffer);
  template <class Write>
  RecordNeeds addRecords(Stack& stack, const Write& write);
  void flush(Stack& stack);

  bool hidesAll(const Layer& layer, const CanvasSize& canvas) const;
  const DevicePicture* frameAt(int index) const;
  Result<DeviceSurface> scratch(int width, int height, bool hasAlpha);

  BufferPool& pool_;
  ResidentPictures& residents_;
  PatternBuffers patterns_;
  FramePlan* plan_ = nullptr;
  std::span<const PicturePtr> pictures_;
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
