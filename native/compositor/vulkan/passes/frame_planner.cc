#include "compositor/vulkan/passes/frame_planner.h"

#include <algorithm>

#include "compositor/plan/color.h"
#include "compositor/vulkan/shaders/record_fields.h"

namespace framewright::gpu {
namespace {

// Rounds up to few combinations, since creating a pipeline is slow.
uint32_t pipelineKinds(int kinds) {
  constexpr int kCopies = kFillKind | kCopiedKind, kAxisAligned = kCopies | kFilteredKind,
                kAll = kAxisAligned | kRotatedFillKind | kRotatedKind | kWaveformKind;
  for (const int all : {kCopies, kAxisAligned}) {
    if ((kinds & ~all) == 0) return static_cast<uint32_t>(all);
  }
  return kAll;
}

}  // namespace

FramePlanner::FramePlanner(BufferPool& pool, ImageCache& residents, const SampleFormat& format)
    : pool_(pool),
      residents_(residents),
      format_(format),
      eightBits_(format.isDeep() ? std::make_unique<EightBitDrawing>(*format.curves()) : nullptr),
      patterns_(pool),
      grain_(pool) {}

Status FramePlanner::plan(const DrawList& list, std::span<const PreparedImagePtr> images,
                          const DeviceSurface& target, FramePlan& plan) {
  plan_ = &plan;
  images_ = images;
  records_.emplace(plan.tables, format_);
  residents_.beginFrame();
  isDithered_ = list.isDithered;
  DeviceSurface drawn = target;
  drawn.layout.isDithered = isDithered_;
  return planList(list, drawn);
}

const DeviceImage* FramePlanner::imageAt(int index) const {
  if (index < 0 || static_cast<size_t>(index) >= images_.size()) return nullptr;
  return static_cast<const DeviceImage*>(images_[static_cast<size_t>(index)].get());
}

Result<std::shared_ptr<const PlanarImage>> FramePlanner::maskImage(int index) const {
  const DeviceImage* const image = imageAt(index);
  if (image == nullptr) return missingImage(index);
  FW_ASSIGN_OR_RETURN(PreparedImagePtr planes, image->hostImage());
  if (eightBits_ != nullptr) {
    const PreparedImagePtr own = planes;
    FW_ASSIGN_OR_RETURN(planes, eightBits_->imageAt(0, {&own, 1}));
  }
  return std::static_pointer_cast<const PlanarImage>(planes);
}

Status FramePlanner::planList(const DrawList& list, const DeviceSurface& target) {
  const CanvasSize canvas = target.layout.size();
  const auto lowest = lowestVisibleLayer(list, canvas, canvas.pixels(), [this](int index) {
    const DeviceImage* const image = imageAt(index);
    return image != nullptr && image->isOpaque();
  });
  Stack stack{&target};
  for (size_t i = lowest.value_or(0); i < list.layers.size(); ++i)
    FW_RETURN_IF_ERROR(planLayer(list.layers[i], stack));
  flush(stack);
  return {};
}

Status FramePlanner::planLayer(const Layer& layer, Stack& stack) {
  const LayerPlacement placement = placeLayer(layer, stack.target->layout.size());
  if (placement.method == LayerPlacement::Method::kTransition) return planTransition(layer, stack);
  if (layer.kind == Layer::Kind::kImage && imageAt(layer.image) == nullptr) return missingImage(layer.image);
  if (placement.extent.empty()) return {};
  if (placement.method == LayerPlacement::Method::kOffscreen) return planOffscreen(layer, placement, stack);
  return addContent(layer, {layer.toCanvas, placement.window, placement.opacity}, stack);
}

Status FramePlanner::addContent(const Layer& layer, const Placement& placement, Stack& stack) {
  const CanvasSize surface = stack.target->layout.size();
  if (layer.kind == Layer::Kind::kFill) {
    addRecords(stack, [&](uint32_t record, PlaneGroup group) {
      return records_->writeFill(record, group, surface, valuesOf(layer.fill), placement);
    });
    return {};
  }
  if (layer.kind == Layer::Kind::kWaveform) {
    addRecords(stack, [&](uint32_t record, PlaneGroup group) {
      return records_->writeWaveform(record, group, surface, layer, placement);
    });
    return {};
  }
  const DeviceImage& image = *imageAt(layer.image);
  const Rect crop{layer.crop.x * image.width(), layer.crop.y * image.height(),
                  layer.crop.width * image.width(), layer.crop.height * image.height()};
  return addImage(layer.image, crop, placement, stack);
}

Status FramePlanner::addImage(int index, const Rect& crop, const Placement& placement, Stack& stack) {
  const auto image = std::static_pointer_cast<const DeviceImage>(images_[static_cast<size_t>(index)]);
  FW_RETURN_IF_ERROR(residents_.require(image, 1, *plan_));
  const uint32_t source = sourceIn(stack, image->buffer.get());
  const SourceImage from = sourceOf(*image);
  const RecordNeeds needs = addRecords(stack, [&](uint32_t record, PlaneGroup group) {
    return records_->writeImage(record, group, stack.target->layout.size(), from, source, crop, placement);
  });
  return residents_.require(image, needs.levels, *plan_);
}

uint32_t FramePlanner::sourceIn(Stack& stack, const vulkan::Buffer* buffer) {
  const auto known = std::find(stack.sources.begin(), stack.sources.end(), buffer);
  if (known != stack.sources.end()) return static_cast<uint32_t>(known - stack.sources.begin());
  if (stack.sources.size() == vulkan::Device::kSources) flush(stack);
  stack.sources.push_back(buffer);
  return static_cast<uint32_t>(stack.sources.size()) - 1;
}

void FramePlanner::flush(Stack& stack) {
  const SurfaceLayout& layout = stack.target->layout;
  const std::array<int, 3> black = format_.valuesOf(kBlack);
  Tables& tables = plan_->tables;
  for (uint32_t group = 0; group < 2; ++group) {
    const std::vector<uint32_t>& records = stack.records[group];
    if (records.empty() && !stack.startsEmpty) continue;
    const uint32_t at = tables.add(records.size() * kRecordWords);
    for (size_t i = 0; i < records.size(); ++i) {
      for (uint32_t w = 0; w < kRecordWords; ++w) {
        tables.set(at + static_cast<uint32_t>(i) * kRecordWords + w,
                   static_cast<int32_t>(tables.words()[records[i] + w]));
      }
    }
    Pass pass{Shader::stack};
    pass.constants = {group, layout.hasAlpha ? 1u : 0u, pipelineKinds(stack.kinds[group]), format_.matrix()};
    pass.target = stack.target->buffer.get();
    pass.sources = stack.sources;
    const auto surface = surfaceWords(layout);
    pass.push.assign(surface.begin(), surface.end());
    const bool transparent = layout.hasAlpha;
    pass.push.insert(pass.push.end(),
                     {at, static_cast<uint32_t>(records.size()), stack.startsEmpty ? 1u : 0u,
                      transparent ? 0u : word(black[group]), transparent ? 0u : word(black[2]), 0u});
    pass.groups = groupsFor(group == 0 ? layout.width : layout.chromaWidth(),
                            group == 0 ? layout.height : layout.chromaHeight());
    pass.waits = group == 0 || stack.records[0].empty();
    plan_->passes.push_back(std::move(pass));
  }
  stack.startsEmpty = false;
  for (size_t group = 0; group < 2; ++group) {
    stack.records[group].clear();
    stack.kinds[group] = 0;
  }
  stack.sources.clear();
}

Result<DeviceSurface> FramePlanner::scratch(int width, int height, bool hasAlpha) {
  DeviceSurface surface{nullptr, layoutOf(width, height, hasAlpha)};
  surface.layout.isDithered = isDithered_;
  surface.layout.sampleBytes = format_.sampleBytes();
  FW_ASSIGN_OR_RETURN(surface.buffer, pool_.acquire(surface.layout.bytes() + kReadBeyond));
  plan_->used.push_back(surface.buffer);
  return surface;
}

}  // namespace framewright::gpu
